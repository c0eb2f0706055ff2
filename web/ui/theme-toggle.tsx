import { useSyncExternalStore } from 'react'
import { themeTexts } from './theme-texts.ts'
import { chooseTheme, currentThemeChoice, onThemeChanged } from '#web/platform/theme.ts'
import { SegmentedControl } from './segmented-control.tsx'

export function ThemeToggle() {
  const choice = useSyncExternalStore(onThemeChanged, currentThemeChoice)
  return (
    <SegmentedControl
      label={themeTexts.legend}
      look="bar"
      value={choice}
      onChange={chooseTheme}
      options={[
        { value: 'light', label: themeTexts.light },
        { value: 'dark', label: themeTexts.dark },
        { value: 'system', label: themeTexts.system },
      ]}
    />
  )
}
