/** Calls about the admin's own duty at the queue (docs/rules.md §7.13), for the desk and the whole back office. */
import { careDutyEndpoints } from '#contract/care-duty.ts'
import type { Duty } from '#domain/chat/queue.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'

export const dutyQuery = endpointQuery(['chat'], careDutyEndpoints.readDuty, {})

export const setDuty = (body: Duty): Promise<Duty> => callEndpoint(careDutyEndpoints.setDuty, { body })

/** Reports that the admin is present. Returns the duty, because another tab may have ended it. */
export const noteActive = (): Promise<Duty> => callEndpoint(careDutyEndpoints.noteActive, {})
