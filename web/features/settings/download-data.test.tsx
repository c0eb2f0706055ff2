import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { writeAccessToken } from '#web/platform/storage.ts'
import { draw } from '#web/testing/render.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import { DownloadData } from './download-data.tsx'
import { settingsTexts } from './settings-texts.ts'

vi.mock(import('#web/ui/save-file.ts'), () => ({ saveFile: vi.fn<typeof saveFile>() }))

const sent: Array<readonly [path: string, authorization: string | null]> = []
let answer: () => Promise<Response>
beforeEach(() => {
  writeAccessToken('the-token')
  sent.length = 0
  vi.mocked(saveFile).mockClear()
  vi.stubGlobal('fetch', (path: string, { headers }: RequestInit) => {
    sent.push([path, new Headers(headers).get('authorization')])
    return answer()
  })
})
const press = async () => {
  const { user } = await draw(<DownloadData />)
  await user.click(screen.getByRole('button', { name: settingsTexts.dataSave }))
}

test('the file is asked for with the token in its header, and saved under the day', async () => {
  answer = () => Promise.resolve(new Response('zip', { headers: { 'content-type': 'application/zip' } }))
  await press()
  await waitFor(() => expect(saveFile).toHaveBeenCalledTimes(1))
  const [name, type, file] = vi.mocked(saveFile).mock.calls[0] ?? []
  expect(name).toMatch(/^kim-phien-du-lieu-\d{4}-\d\d-\d\d\.zip$/)
  expect([type, await (file as Blob).text()]).toEqual(['application/zip', 'zip'])
  expect(sent).toEqual([['/api/v1/user/data-export', 'Bearer the-token']])
})

test('a refusal is said in the server’s words', async () => {
  const body = { statusCode: 429, code: 'TOO_MANY_REQUESTS', message: 'Vui lòng thử lại sau 30 phút' }
  answer = () =>
    Promise.resolve(new Response(JSON.stringify(body), { status: 429, headers: { 'retry-after': '1790' } }))
  await press()
  await screen.findByText(body.message)
  expect(saveFile).not.toHaveBeenCalled()
})

test('a broken line is said, and nothing is saved', async () => {
  answer = () => Promise.reject(new TypeError('network'))
  await press()
  await screen.findByRole('alert').then((alert) => waitFor(() => expect(alert.textContent).toContain('Không kết nối')))
  expect(saveFile).not.toHaveBeenCalled()
})
