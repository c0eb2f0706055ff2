import { failureText } from '#web/platform/http.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { Button } from './button.tsx'

export type MoreRowsProps = {
  readonly query: { readonly error: unknown; readonly isFetchNextPageError: boolean }
  readonly label: string
  readonly isBusy: boolean
  readonly onPress: () => unknown
}

export const MoreRows = ({ query, label, isBusy, onPress }: MoreRowsProps) => (
  <div className="border-t border-line p-3">
    {query.isFetchNextPageError && (
      <p role="alert" className="pb-2 text-center text-sm text-down">
        {failureText(query.error, commonTexts.somethingWrong)}
      </p>
    )}
    <Button variant="outline" isWide isBusy={isBusy} onClick={() => void onPress()}>
      {label}
    </Button>
  </div>
)
