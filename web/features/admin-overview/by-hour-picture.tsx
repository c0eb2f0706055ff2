import { Bar } from '@visx/shape'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { formatCount } from '#web/platform/formats.ts'
import { useWidth } from '#web/ui/use-width.ts'
import { byHourFigure, type Figures, HOURS } from './figures.ts'
import { figuresTexts as texts } from './figures-texts.ts'
import { blockMark, PlotCard } from './plot-card.tsx'
import { ColumnText, PLOT_HEIGHT, PlotMarks, RowText } from './plot-marks.tsx'

/** The shades of the heat map: one for no bets, then one for each quarter of the highest number of bets. */
const shades = [
  'fill-surface-2',
  'fill-gold-fill/20',
  'fill-gold-fill/45',
  'fill-gold-fill/70',
  'fill-gold-fill',
] as const

export function ByHourPicture({ figures }: { readonly figures: Figures }) {
  const figure = byHourFigure(figures)
  const { ref, width, rem } = useWidth()
  const margin = { left: 2.75 * rem, bottom: 1.6 * rem }
  const cell = {
    width: (width - margin.left) / HOURS.length,
    height: (PLOT_HEIGHT - margin.bottom) / ROUND_TYPES.length,
  }
  const betsIn = new Map(figures.byHour.map(({ type, hour, bets }) => [`${type} ${hour}`, bets]))
  const most = Math.max(1, ...betsIn.values())
  const shadeOf = (bets: number) => shades[Math.ceil((bets / most) * (shades.length - 1))] ?? shades[0]
  const marked = cell.width * 3 >= 2.6 * rem ? 3 : 6
  return (
    <PlotCard
      figure={figure}
      legend={[
        { mark: blockMark(`${shades[0]} stroke-line`), text: texts.noBets },
        ...(most > 1 ? [{ mark: blockMark(shades[1]), text: texts.few }] : []),
        { mark: blockMark(shades[4]), text: texts.many(formatCount(most)) },
      ]}
    >
      <PlotMarks
        figure={figure}
        ref={ref}
        width={width}
        columns={HOURS.length}
        boxOf={(at) => ({
          left: margin.left + (at % HOURS.length) * cell.width,
          top: Math.floor(at / HOURS.length) * cell.height,
          ...cell,
        })}
        markAt={(x, y) => {
          const [column, row] = [Math.floor((x - margin.left) / cell.width), Math.floor(y / cell.height)]
          const isInside = column >= 0 && column < HOURS.length && row >= 0 && row < ROUND_TYPES.length
          return isInside ? row * HOURS.length + column : null
        }}
      >
        {ROUND_TYPES.map((type, row) => (
          <g key={type} transform={`translate(${margin.left} ${row * cell.height})`}>
            <RowText x={-8} y={cell.height / 2}>
              {type}
            </RowText>
            {HOURS.map((hour) => (
              <Bar
                key={hour}
                x={hour * cell.width + 0.75}
                y={0.75}
                width={Math.max(1, cell.width - 1.5)}
                height={cell.height - 1.5}
                rx={2}
                className={shadeOf(betsIn.get(`${type} ${hour}`) ?? 0)}
              />
            ))}
          </g>
        ))}
        {HOURS.filter((hour) => hour % marked === 0).map((hour) => (
          <ColumnText
            key={hour}
            x={margin.left + (hour + 0.5) * cell.width}
            y={PLOT_HEIGHT - margin.bottom + 1.2 * rem}
          >
            {hour}
          </ColumnText>
        ))}
      </PlotMarks>
    </PlotCard>
  )
}
