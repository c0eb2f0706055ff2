import { useState } from 'react'
import { type ChartView, readChartViewPin, writeChartViewPin } from '#web/platform/storage.ts'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { settingsTexts } from './settings-texts.ts'

export function ChartViewChoice() {
  const [pin, setPin] = useState(readChartViewPin)
  const set = (choice: ChartView | 'auto') => {
    const view = choice === 'auto' ? null : choice
    writeChartViewPin(view)
    setPin(view)
  }
  return (
    <div className="flex flex-col gap-1.5">
      <SegmentedControl
        label={settingsTexts.chartView}
        look="bar"
        value={pin ?? 'auto'}
        onChange={set}
        options={[
          { value: 'auto', label: settingsTexts.chartAuto },
          { value: 'round', label: settingsTexts.chartRound },
          { value: '1m', label: settingsTexts.chartMinute },
          { value: '60m', label: settingsTexts.chartHour },
        ]}
      />
      <p className="text-xs text-ink-3">{settingsTexts.chartHint}</p>
    </div>
  )
}
