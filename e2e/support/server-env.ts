import { adminPassword, referralCode } from './api.ts'

export const supportContact = 'hotro@kimphien.example'

const preloaded = ['end-with-parent.mjs', 'clock-shift.mjs'].map(
  (name) => `--import ${new URL(name, import.meta.url).href}`,
)

/** The settings that every journey's server has. */
export const serverEnv = (clockShiftMs: number): Record<string, string> => ({
  NODE_OPTIONS: preloaded.join(' '),
  CLOCK_SHIFT_MS: String(clockShiftMs),
  GOLD_FEED: 'simulated',
  ADMIN_PASSWORD: adminPassword,
  REFERRAL_CODE: referralCode,
  SUPPORT_CONTACT: supportContact,
  RATE_LIMIT_FACTOR: '100',
  LOG_LEVEL: 'warn',
})
