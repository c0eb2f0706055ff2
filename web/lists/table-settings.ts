import { readTableSettings, writeTableSettings } from '#web/platform/storage.ts'

export const areShortcutsOff = (): boolean => readTableSettings()['areShortcutsOff'] === true

export function setShortcutsOff(isOff: boolean): void {
  writeTableSettings({ ...readTableSettings(), areShortcutsOff: isOff })
}
