import { expect, test } from 'vitest'
import { deviceWords } from './device-words.ts'

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`Mozilla/5.0 (Linux; Android 10; K) ${webKit} Chrome/131.0.0.0 Mobile Safari/537.36`, 'Chrome trên Android', true],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`,
    'Edge trên Windows',
    false,
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} coc_coc_browser/130.0 Chrome/124.0 Safari/537.36`,
    'Cốc Cốc trên Windows',
    false,
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'Safari trên iPhone',
    true,
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0 Mobile/15E148 Safari/604.1',
    'Chrome trên iPhone',
    true,
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/131.0 Mobile/15E148 Safari/605.1.15',
    'Firefox trên iPad',
    true,
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
    'Safari trên macOS',
    false,
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0', 'Firefox trên Linux', false],
  [
    `Mozilla/5.0 (Linux; Android 14; SM-S921B) ${webKit} SamsungBrowser/26.0 Chrome/122.0 Mobile Safari/537.36`,
    'Samsung Internet trên Android',
    true,
  ],
  [`Mozilla/5.0 (Windows NT 10.0) ${webKit} Chrome/130.0 Safari/537.36 OPR/115.0`, 'Opera trên Windows', false],
  [
    `Mozilla/5.0 (Linux; Android 13; wv) ${webKit} Version/4.0 Chrome/130.0 Mobile Safari/537.36 Zalo android/24`,
    'Zalo trên Android',
    true,
  ],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webKit} Chrome/131.0 Safari/537.36`, 'Chrome trên ChromeOS', false],
  ['curl/8.5.0', 'Thiết bị không rõ', false],
  ['', 'Thiết bị không rõ', false],
  [null, 'Thiết bị không rõ', false],
  ['Something on Windows', 'Windows', false],
])('%s is %s', (userAgent, name, isHandheld) => {
  expect(deviceWords(userAgent)).toEqual({ name, isHandheld })
})
