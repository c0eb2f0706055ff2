import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import { toast } from '#web/ui/toast.tsx'
import { FactorForm } from './factor-form.tsx'
import { factorTexts } from './factor-texts.ts'

test.each([true, false])(
  "a browser's question for a passkey that ends without one is told only to whoever is still there: left %s",
  async (isLeft) => {
    const question = Promise.withResolvers<never>()
    vi.stubGlobal('PublicKeyCredential', () => {})
    vi.stubGlobal('navigator', { userAgent: '', credentials: { get: () => question.promise } })
    const shown = vi.spyOn(toast, 'error').mockReturnValue()
    const step = { challenge: 'x', ways: ['passkey' as const], passkeyOptions: { challenge: 'eA', timeout: 1 } }
    const { unmount } = await draw(<FactorForm step={step} prove={async () => {}} />)
    fireEvent.click(screen.getByRole('button', { name: factorTexts.byPasskey }))
    await import('@simplewebauthn/browser')
    if (isLeft) unmount()
    question.reject(new DOMException('cancelled', 'NotAllowedError'))
    if (!isLeft) await screen.findByText(factorTexts.passkeyStopped)
    await act(() => new Promise<void>((resolve) => void setTimeout(resolve, 30)))
    expect(shown).not.toHaveBeenCalled()
    shown.mockRestore()
  },
)
