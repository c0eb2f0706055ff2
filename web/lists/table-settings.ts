import { readTableSettings, writeTableSettings } from '#web/platform/storage.ts'

/** Whether single-key shortcuts are off in this browser. */
export const areShortcutsOff = (): boolean => readTableSettings()['areShortcutsOff'] === true

export function setShortcutsOff(isOff: boolean): void {
  writeTableSettings({ ...readTableSettings(), areShortcutsOff: isOff })
}
