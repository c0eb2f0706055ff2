import { useSyncExternalStore } from 'react'
import { themeTexts } from './theme-texts.ts'
import { readThemeChoice } from '#web/platform/storage.ts'
import { chooseTheme, onThemeChanged } from '#web/platform/theme.ts'
import { SegmentedControl } from './segmented-control.tsx'

export function ThemeToggle() {
  const choice = useSyncExternalStore(onThemeChanged, readThemeChoice)
  return (
    <SegmentedControl
      label={themeTexts.legend}
      look="bar"
      value={choice}
      onChange={chooseTheme}
      options={(['light', 'dark', 'system'] as const).map((value) => ({ value, label: themeTexts[value] }))}
    />
  )
}
