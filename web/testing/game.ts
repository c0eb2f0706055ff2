import type { GameBet, GameRound, PlayerConfig } from '#web/features/game/api.ts'

/** Sample rows for tests. */

export const opensAtMs = Date.UTC(2026, 10, 20, 8, 0, 0)

export const aRound = (changes: Partial<GameRound> = {}): GameRound => ({
  id: 'round-1',
  gameId: 'game-30s',
  type: '30s',
  roundNumber: 927_418,
  attempt: 0,
  status: 'running',
  openPrice: 4_132_114,
  closePrice: null,
  result: null,
  resultSource: 'PRICE',
  announcement: null,
  priceSource: 'simulated',
  priceSourceLabel: 'Giá mô phỏng',
  opensAtMs,
  locksAtMs: opensAtMs + 29_000,
  closesAtMs: opensAtMs + 30_000,
  durationS: 30,
  isDeleted: false,
  countdown: { closesAtMs: opensAtMs + 30_000 },
  isBettingOpen: true,
  feedReason: null,
  goldReopensAtMs: null,
  ...changes,
})

export const aPlayer = (changes: Partial<PlayerConfig> = {}): PlayerConfig => ({
  balanceMinor: 100_000n,
  creditScore: 100,
  vip: null,
  isFrozen: false,
  scriptedOutcome: null,
  banks: [],
  rates: { '30s': 5, '60s': 7, '90s': 9, '120s': 12 },
  presetStakes: [10, 20],
  ...changes,
})

export const aBet = (changes: Partial<GameBet> = {}): GameBet => ({
  id: 'bet-1',
  owner: { id: 'user-1', username: 'lan' },
  round: { id: 'round-1', roundNumber: 927_418, type: '30s' },
  direction: 'up',
  stakeMinor: 10_000n,
  status: 'open',
  basis: 'PRICE',
  entryFromMs: opensAtMs + 6_000,
  entryAtMs: null,
  entryPrice: null,
  exitPrice: null,
  profitMinor: null,
  voidReason: null,
  closesAtMs: opensAtMs + 30_000,
  settledAtMs: null,
  createdAtMs: opensAtMs + 5_200,
  ...changes,
})

export const aWonBet = (changes: Partial<GameBet> = {}): GameBet =>
  aBet({
    status: 'won',
    entryAtMs: opensAtMs + 6_000,
    entryPrice: 4_130_902,
    exitPrice: 4_131_000,
    profitMinor: 500n,
    settledAtMs: opensAtMs + 30_450,
    ...changes,
  })
