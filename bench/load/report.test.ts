import { expect, test } from 'vitest'
import { createMeasures } from './measures.ts'
import { plot, renderReport, type ReportFacts } from './report.ts'
import { judge } from './verdict.ts'

function factsOf(): ReportFacts {
  const measures = createMeasures(120)
  for (let n = 0; n < 200; n++) measures.end('bet', n * 500, n * 500 + 20 + (n % 10), 'done')
  measures.end('message', 1_000, 1_040, 'done')
  measures.end('bet', 2_000, 2_020, 'refused', 'ROUND_CLOSING')
  measures.stumble('bet', 2_000, '<b>502</b>')
  const pace = { players: 3, rampS: 10, playS: 110, bets: 1, messages: 1, looks: 1, drops: 1, awayS: 5 }
  return {
    ...{ url: 'http://127.0.0.1:1/?a=1&b=2', seed: 1, pace, beganAt: new Date(0), lastedS: 121 },
    ...{ seen: measures.seen(), checkedIn: 'the database', maxErrors: 0, isRight: false },
    verdict: judge([{ what: 'bet', id: 'missing-bet', playerId: 'lan', clientId: null }], [], []),
  }
}

test('the page has the verdict, the percentiles, every code and what was lost', () => {
  const page = renderReport(factsOf())
  expect(page).toContain('acknowledged 1, found 0, lost 1, twice 0; 1 unexpected answers, 0 allowed')
  expect(page).toContain('class="verdict wrong"')
  expect(page).toMatch(/<td>bet<\/td><td>201<\/td><td>2\d ms<\/td>/)
  expect(page).toContain('<td>ROUND_CLOSING</td>')
  expect(page).toContain('<td>missing-bet</td>')
  expect(page.match(/<svg /g)).toHaveLength(3)
})

test('the page loads nothing, and a text of the server does not become part of it', () => {
  const page = renderReport(factsOf())
  expect(page).not.toMatch(/<(?:script|link|img|iframe)\b|url\(|\ssrc=/)
  expect(page).not.toContain('<b>502')
  expect(page).toContain('&lt;b&gt;502&lt;/b&gt;')
  expect(page).toContain('?a=1&amp;b=2')
})

test('a plot draws each line through its points, the larger value above the smaller', () => {
  const axes = { title: 'p99', x: [0, 100], xMarks: [], yText: String, isLog: false } as const
  const svg = plot(axes, [
    {
      timed: 'bet',
      points: [
        [0, 10],
        [50, Number.NaN],
        [100, 20],
      ],
    },
  ])
  const [, fromX, fromY, toX, toY] = /<path d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)"/.exec(svg)?.map(Number) ?? []
  expect([fromX, toX]).toEqual([70, 836])
  expect(toY).toBeLessThan(fromY ?? 0)
  expect(plot(axes, [])).toContain('Nothing was seen')
})
