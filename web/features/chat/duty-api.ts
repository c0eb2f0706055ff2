/** Calls about the admin's own duty at the queue (docs/rules.md §7.13), for the desk and for the whole back office. */
import { careDutyEndpoints } from '#contract/care-duty.ts'
import type { Duty } from '#domain/chat/queue.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'

export const dutyQuery = endpointQuery(['chat'], careDutyEndpoints.readDuty, {})

export const setDuty = (body: Duty): Promise<Duty> => callEndpoint(careDutyEndpoints.setDuty, { body })

/** Reports a sign of presence; returns the duty, which another tab may have ended. */
export const noteActive = (): Promise<Duty> => callEndpoint(careDutyEndpoints.noteActive, {})
