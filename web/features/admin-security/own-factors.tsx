import { useQuery } from '@tanstack/react-query'
import { use, useState } from 'react'
import type { OwnFactor, OwnFactors as Own } from '#contract/factors.ts'
import { formatCount, formatDateMinute } from '#web/platform/formats.ts'
import { ActDialog } from '#web/ui/act-dialog.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { KeyRound } from '#web/ui/icons/key-round.tsx'
import { Smartphone } from '#web/ui/icons/smartphone.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import { TitledCard } from '#web/ui/titled-card.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { AddTotpDialog, type AddFactorProps } from './add-totp-dialog.tsx'
import { securityTexts as texts } from './admin-security-texts.ts'
import { ownFactorsQuery, refreshFactors, removeFactor, renewRecoveryCodes, addPasskey, beginPasskey } from './api.ts'
import { KeepDialog } from './keep-dialog.ts'
import type { PublicKeyCredentialCreationOptionsJSON, RegistrationResponseJSON } from '@simplewebauthn/browser'
import { failureText } from '#web/platform/http.ts'
import { useAct } from '#web/ui/use-act.ts'
import { Form } from '#web/ui/field.tsx'
import { FormEnd } from '#web/ui/form-failure.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { required, usePrompt } from '#web/ui/use-prompt.ts'

type Asked = 'totp' | 'passkey' | 'renew' | { readonly removed: OwnFactor }

export type OwnFactorsProps = {
  /** True for a player, who can add only passkeys, to sign in without the password (rules §4.12). */
  readonly isPlayer?: boolean
}

export function OwnFactors({ isPlayer = false }: OwnFactorsProps) {
  const query = useQuery(ownFactorsQuery)
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = () => setAsked(null)
  const ends = { onSettled: () => void refreshFactors(), onClose: close }
  const keep = use(KeepDialog)
  const done = (codes: readonly string[] | null) => {
    close()
    if (codes !== null) keep(<RecoveryCodes codes={codes} onClose={() => keep(null)} />)
  }
  return (
    <TitledCard title={isPlayer ? texts.passkeys : texts.factors}>
      <p className="text-sm text-ink-2">{isPlayer ? texts.passkeysWhy : texts.factorsWhy}</p>
      {query.data === undefined ? (
        <Pending query={query} shapes={['h-30']} />
      ) : (
        <Factors own={query.data} isPlayer={isPlayer} onAsk={setAsked} />
      )}
      {asked === 'totp' && <AddTotpDialog onAdded={done} onClose={close} />}
      {asked === 'passkey' && <AddPasskeyDialog onAdded={done} onClose={close} />}
      {asked === 'renew' && (
        <ActDialog
          title={texts.renewTitle}
          description={texts.renewEffect}
          confirmLabel={texts.renew}
          failText={texts.renewFailed}
          run={async () => done(await renewRecoveryCodes())}
          {...ends}
        />
      )}
      {typeof asked === 'object' && asked !== null && (
        <ActDialog
          title={texts.removeTitle}
          description={texts.removeEffect(asked.removed.name)}
          confirmLabel={texts.remove}
          tone="danger"
          failText={texts.removeFailed}
          run={() => removeFactor(asked.removed.id)}
          {...ends}
        >
          {!isPlayer && query.data?.factors.length === 1 && <Banner tone="warn">{texts.removeLast}</Banner>}
        </ActDialog>
      )}
    </TitledCard>
  )
}

/** Shows new recovery codes. The server keeps only hashes, so the codes can't be shown again. */
function RecoveryCodes({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  return (
    <Dialog
      onClose={onClose}
      title={texts.codesTitle}
      description={texts.codesWhy}
      footer={
        <>
          <Button
            variant="outline"
            onClick={() => saveFile(texts.file, 'text/plain;charset=utf-8', `${codes.join('\n')}\n`)}
          >
            {texts.download}
          </Button>
          <Button onClick={onClose}>{texts.saved}</Button>
        </>
      }
    >
      <ol className="grid grid-cols-1 gap-x-6 gap-y-1 rounded-s bg-surface-2 p-3 font-mono text-sm min-[380px]:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
    </Dialog>
  )
}

/** If fewer recovery codes than this are left, a warning is shown. */
const fewCodes = 4

type FactorsProps = Required<OwnFactorsProps> & { readonly own: Own; readonly onAsk: (asked: Asked) => void }

function Factors({ own, isPlayer, onAsk }: FactorsProps) {
  const { factors, recoveryCodesLeft, mode, hasPasskeys } = own
  // Browsers offer passkeys only in a secure context (HTTPS or localhost).
  const isSupported = typeof globalThis.PublicKeyCredential === 'function'
  return (
    <>
      {!isPlayer && mode === 'off' && <Banner tone="info">{texts.isOff}</Banner>}
      {factors.length === 0 ? (
        <p className="text-sm font-medium">{isPlayer ? texts.noPasskey : texts.none}</p>
      ) : (
        <ul className="flex flex-col divide-y divide-line">
          {factors.map((factor) => {
            const Icon = factor.kind === 'totp' ? Smartphone : KeyRound
            return (
              <li key={factor.id} className="flex items-center gap-3 py-3">
                <Icon aria-hidden size={20} strokeWidth={1.7} className="shrink-0 text-gold" />
                <div className="min-w-0 flex-1">
                  <p className="font-medium [overflow-wrap:anywhere]">{factor.name}</p>
                  <p className="text-xs text-ink-3 tabular-nums">
                    <span>{`${texts[factor.kind]} · ${texts.added(formatDateMinute(factor.createdAtMs))}`}</span>
                    {factor.lastUsedAtMs !== null && (
                      <span>{` · ${texts.used(formatDateMinute(factor.lastUsedAtMs))}`}</span>
                    )}
                  </p>
                </div>
                <Button
                  variant="outline"
                  aria-label={texts.removeNamed(factor.name)}
                  onClick={() => onAsk({ removed: factor })}
                >
                  {texts.remove}
                </Button>
              </li>
            )
          })}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        {!isPlayer && (
          <Button variant={factors.length === 0 ? 'primary' : 'outline'} onClick={() => onAsk('totp')}>
            {texts.addTotp}
          </Button>
        )}
        {hasPasskeys && isSupported && (
          <Button variant="outline" onClick={() => onAsk('passkey')}>
            {texts.addPasskey}
          </Button>
        )}
      </div>
      {!(hasPasskeys && isSupported) && (
        <p className="text-xs text-ink-3">{hasPasskeys ? texts.noPasskeysHere : texts.noPasskeys}</p>
      )}
      {!isPlayer && factors.length > 0 && (
        <div className="flex flex-col items-start gap-2 border-t border-line pt-3">
          <h3 className="text-sm font-semibold">{texts.recovery}</h3>
          <p className="text-sm text-ink-2">{texts.recoveryLeft(formatCount(recoveryCodesLeft))}</p>
          {recoveryCodesLeft < fewCodes && <Banner tone="warn">{texts.recoveryFew}</Banner>}
          <Button variant="outline" onClick={() => onAsk('renew')}>
            {texts.renew}
          </Button>
        </div>
      )}
    </>
  )
}

function AddPasskeyDialog({ onAdded, onClose }: AddFactorProps) {
  const name = usePrompt(required(texts.nameRequired), texts.passkeyName)
  const { start, isBusy, failure } = useAct({
    failText: (error) => (error === passkeyStopped ? texts.passkeyStopped : failureText(error, texts.addFailed)),
    run: async () => {
      const { challenge, options } = await beginPasskey()
      const passkey = await makePasskey(options)
      onAdded(await addPasskey({ challenge, passkey: { ...passkey }, name: name.text.trim() }))
    },
    // The refetch also runs after a failure: the server may have added the factor although its answer was lost.
    onSettled: () => void refreshFactors(),
  })
  return (
    <Dialog onClose={() => !isBusy && onClose()} title={texts.addPasskey} description={texts.passkeyWhy}>
      <Form noValidate onSubmit={() => name.check() && start()} className="flex flex-col gap-4">
        <TextInput {...name.field} name="name" label={texts.name} hint={texts.nameHint} maxLength={40} />
        <FormEnd failure={failure} isBusy={isBusy}>
          {texts.add}
        </FormEnd>
      </Form>
    </Dialog>
  )
}

/** An AbortError: whoever has left the dialog meanwhile has given up the browser's question, and learns of no failure. */
const passkeyStopped = new DOMException('No passkey was made', 'AbortError')

/** Throws `passkeyStopped` on any failure, for example if the user cancels. */
async function makePasskey(options: unknown): Promise<RegistrationResponseJSON> {
  try {
    const { startRegistration } = await import('@simplewebauthn/browser')
    return await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })
  } catch {
    throw passkeyStopped
  }
}
