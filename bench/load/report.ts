import { PERCENTILES, type Seen, type Timed, type Window } from './measures.ts'
import type { Pace } from './schedule.ts'
import { type Verdict, verdictLine } from './verdict.ts'

export interface ReportFacts {
  readonly url: string
  readonly seed: number
  readonly pace: Pace
  readonly beganAt: Date
  readonly lastedS: number
  readonly seen: Seen
  readonly verdict: Verdict
  /** The place where the acknowledgements were looked up. */
  readonly checkedIn: string
  readonly maxErrors: number
  readonly isRight: boolean
}

const COLORS: Readonly<Record<Timed, string>> = {
  'sign in': '#8a6d00',
  enter: '#00707a',
  bet: '#b3261e',
  message: '#1a5fb4',
  look: '#5b3a9c',
  refresh: '#6b7280',
  reconnect: '#1b7a3d',
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const ms = (value: number): string =>
  Number.isNaN(value)
    ? '–'
    : value >= 9_950
      ? `${(value / 1000).toFixed(1)} s`
      : `${value.toFixed(value < 10 ? 1 : 0)} ms`

const table = (head: readonly string[], rows: ReadonlyArray<readonly string[]>): string =>
  `<table><thead><tr>${head.map((cell) => `<th>${escaped(cell)}</th>`).join('')}</tr></thead><tbody>${rows
    .map((row) => `<tr>${row.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`)
    .join('')}</tbody></table>`

interface Line {
  readonly timed: Timed
  readonly points: ReadonlyArray<readonly [x: number, y: number]>
}

interface Axes {
  readonly title: string
  /** The values at the left and at the right edge. */
  readonly x: readonly [from: number, to: number]
  readonly xMarks: ReadonlyArray<readonly [x: number, text: string]>
  readonly yText: (y: number) => string
  /** True for a logarithmic scale, with a mark at each power of ten. */
  readonly isLog: boolean
}

const SIZE = { width: 860, height: 260, left: 70, right: 24, top: 10, bottom: 30 } as const

/** Returns the scale's marks: round numbers in at most five steps, or powers of ten on a logarithmic scale. */
function yMarks(most: number, isLog: boolean): number[] {
  if (isLog) return Array.from({ length: 8 }, (_, n) => 10 ** (n - 1)).filter((mark) => mark <= most)
  const rough = most / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((n) => n * power).find((one) => one >= rough) ?? rough
  return Array.from({ length: 6 }, (_, n) => n * step).filter((mark) => mark <= most)
}

/** Returns a plot as SVG. Points without a number are left out, and the line connects the points around them. */
export function plot({ title, x, xMarks, yText, isLog }: Axes, lines: readonly Line[]): string {
  const { width, height, left, right, top, bottom } = SIZE
  const values = lines.flatMap(({ points }) => points.map(([, y]) => y)).filter((y) => Number.isFinite(y) && y > 0)
  const most = Math.max(isLog ? 1 : 0, ...values) * 1.05
  const least = isLog ? Math.max(0.1, Math.min(1, ...values)) : 0
  if (values.length === 0) return `<figure><figcaption>${escaped(title)}</figcaption><p>Nothing was seen.</p></figure>`
  const across = (at: number) => left + ((at - x[0]) / (x[1] - x[0] || 1)) * (width - left - right)
  const share = (y: number) =>
    isLog ? Math.log(Math.max(y, least) / least) / Math.log(most / least) : (y - least) / (most - least)
  const down = (y: number) => height - bottom - share(y) * (height - top - bottom)
  const marks = yMarks(most, isLog)
    .filter((mark) => mark >= least)
    .map(
      (mark) =>
        `<line x1="${left}" x2="${width - right}" y1="${down(mark).toFixed(1)}" y2="${down(mark).toFixed(1)}" class="grid"/>` +
        `<text x="${left - 6}" y="${(down(mark) + 4).toFixed(1)}" text-anchor="end">${escaped(yText(mark))}</text>`,
    )
  const below = xMarks
    .filter(([at]) => at <= x[1])
    .map(
      ([at, text]) =>
        `<text x="${across(at).toFixed(1)}" y="${height - 10}" text-anchor="middle">${escaped(text)}</text>`,
    )
  const drawn = lines.map(({ timed, points }) => {
    const path = points
      .filter(([, y]) => Number.isFinite(y))
      .map(([at, y], nth) => `${nth === 0 ? 'M' : 'L'}${across(at).toFixed(1)} ${down(y).toFixed(1)}`)
      .join('')
    return `<path d="${path}" stroke="${COLORS[timed]}"><title>${escaped(timed)}</title></path>`
  })
  const legend = lines.map(({ timed }) => `<span style="color:${COLORS[timed]}">■ ${escaped(timed)}</span>`).join(' ')
  return (
    `<figure><figcaption>${escaped(title)}</figcaption><div class="legend">${legend}</div>` +
    `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">` +
    `${[...marks, ...below, ...drawn].join('')}</svg></figure>`
  )
}

const STYLE = `
:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 900px; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1.5rem }
th, td { text-align: right; padding: .2rem .6rem; border-bottom: 1px solid #8884; font-variant-numeric: tabular-nums }
th:first-child, td:first-child { text-align: left }
figure { margin: 1.5rem 0 }
figcaption { font-weight: 600 }
svg { width: 100%; height: auto }
svg text { font-size: 11px; fill: currentColor }
svg path { fill: none; stroke-width: 1.6 }
.grid { stroke: #8883 }
.legend { font-size: 13px }
.right { color: #1b7a3d } .wrong { color: #b3261e }
.verdict { font-size: 1.2rem; font-weight: 600 }
`

/** Returns the report of a run as one HTML page that loads no other file. */
export function renderReport(facts: ReportFacts): string {
  const { seen, pace, verdict, lastedS } = facts
  const { windows, windowS, summaries, counts } = seen
  const endS = windows.length * windowS
  const seconds: Axes['xMarks'] = Array.from({ length: 7 }, (_, n) => [
    (endS * n) / 6,
    `${Math.round((endS * n) / 6)} s`,
  ])
  const overTime = (title: string, yText: Axes['yText'], isLog: boolean, y: (one: Window, timed: Timed) => number) =>
    plot(
      { title, x: [0, endS], xMarks: seconds, yText, isLog },
      summaries.map(({ timed }) => ({
        timed,
        points: windows.map((one) => [one.fromS + windowS / 2, y(one, timed)] as const),
      })),
    )
  const unexpectedOverTime = windows.filter(({ unexpected }) => unexpected > 0)
  const dropped = seen.done.get('reconnect') ?? 0
  // Each step of 1 to the right leaves a tenth of the samples above it.
  const tail = (percentile: number) => -Math.log10(1 - percentile / 100)
  const parts = [
    `<h1>Load of ${escaped(facts.url)}</h1>`,
    `<p class="verdict ${facts.isRight ? 'right' : 'wrong'}">${escaped(verdictLine(verdict))}; ${seen.unexpected} unexpected answers, ${facts.maxErrors} allowed</p>`,
    `<p>${pace.players} players signed in over ${pace.rampS} s and then played for ${pace.playS} s from ${escaped(facts.beganAt.toISOString())}; the run took ${lastedS.toFixed(0)} s, seed ${facts.seed}. Each player and minute: ${pace.bets} bets, ${pace.messages} messages, ${pace.looks} looks at the history, ${pace.drops} lost networks of ${pace.awayS} s on average. The acknowledgements were looked up in ${escaped(facts.checkedIn)}.</p>`,
    `<h2>Latency</h2>`,
    `<p>Each act counts from the time for which it was planned before the run, so that what a slow answer delays counts as well. “enter” is the screen after the sign-in, “refresh” what a hint or a countdown makes a screen ask.</p>`,
    table(
      ['', 'count', 'mean', ...PERCENTILES.map((one) => `p${one}`), 'longest'],
      summaries.map(({ timed, count, meanMs, percentiles, maxMs }) => [
        timed,
        String(count),
        ms(meanMs),
        ...PERCENTILES.map((one) => ms(percentiles.get(one) ?? Number.NaN)),
        ms(maxMs),
      ]),
    ),
    plot(
      {
        title: 'Latency by percentile',
        x: [0, Math.max(1, ...summaries.map(({ distribution }) => tail(distribution.at(-1)?.[0] ?? 0)))],
        xMarks: [0, 90, 99, 99.9, 99.99, 99.999].map((one) => [tail(one), one === 0 ? '0' : `p${one}`] as const),
        yText: ms,
        isLog: true,
      },
      summaries.map(({ timed, distribution }) => ({
        timed,
        points: distribution.map(([percentile, value]) => [tail(percentile), value] as const),
      })),
    ),
    overTime(`p99 of each ${windowS} s`, ms, true, (one, timed) => one.p99Ms.get(timed) ?? Number.NaN),
    `<p>This program itself began acts late by ${ms(seen.lateness.p99Ms)} (p99) and ${ms(seen.lateness.maxMs)} at most. Where that is much, the machine of the players was too busy, and the latencies are too long by it.</p>`,
    `<h2>Rates</h2>`,
    overTime(
      'Acts that ended, per second',
      (y) => y.toPrecision(3).replace(/\.?0+$/, ''),
      false,
      (one, timed) => (one.ended.get(timed) ?? 0) / windowS,
    ),
    `<h2>Connections</h2>`,
    table(
      ['', 'count'],
      [
        ['networks lost on purpose, and back', String(dropped)],
        ['connections lost otherwise', String(seen.lost)],
        ['prices that sockets were told', String(seen.ticks)],
      ],
    ),
    `<h2>Not done</h2>`,
    counts.length === 0
      ? '<p>Everything that was due was done.</p>'
      : table(
          ['', 'why', 'code', 'count'],
          counts.map(({ timed, outcome, code, count }) => [timed, outcome, code, String(count)]),
        ),
    unexpectedOverTime.length === 0
      ? ''
      : table(
          ['from', 'unexpected answers'],
          unexpectedOverTime.map(({ fromS, unexpected }) => [`${fromS} s`, String(unexpected)]),
        ),
    verdict.lost.length === 0
      ? ''
      : `<h2>Lost</h2>${table(
          ['', 'id', 'player'],
          verdict.lost.slice(0, 100).map(({ what, id, playerId }) => [what, id, playerId]),
        )}`,
  ]
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Load of ${escaped(facts.url)}</title><style>${STYLE}</style></head><body>${parts.join('\n')}</body></html>\n`
}
