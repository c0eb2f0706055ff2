import { settingsTexts } from './settings-texts.ts'

/** The first match counts. Edge, for example, comes before Chrome and Safari, since its user agent names them, too. */
const browsers: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/\bZalo\b/i, 'Zalo'],
  [/\bFBA[NV]\b/, 'Facebook'],
  [/\bcoc_coc_browser\b/i, 'Cốc Cốc'],
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const systems: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const handhelds: ReadonlySet<string> = new Set(['iPhone', 'iPad', 'Android'])

const nameIn = (text: string, names: ReadonlyArray<readonly [RegExp, string]>): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1]

/** Names the browser and operating system of a session as far as they are known, for example `Chrome trên Android`. */
export function deviceWords(userAgent: string | null) {
  const browser = nameIn(userAgent ?? '', browsers)
  const system = nameIn(userAgent ?? '', systems)
  const name =
    browser !== undefined && system !== undefined
      ? settingsTexts.browserOn(browser, system)
      : (browser ?? system ?? settingsTexts.unknownDevice)
  return { name, isHandheld: system !== undefined && handhelds.has(system) }
}
