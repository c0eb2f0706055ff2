import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { readChartViewPin, writeChartViewPin } from '#web/platform/storage.ts'
import { draw } from '#web/testing/render.tsx'
import { ChartViewChoice } from './chart-view-choice.tsx'
import { settingsTexts } from './settings-texts.ts'

const radio = (name: string) => screen.getByRole('radio', { name })

test('a pinned view is shown, another one takes its place, and the automatic choice removes the pin', async () => {
  writeChartViewPin('1m')
  const { user } = await draw(<ChartViewChoice />)
  expect(radio(settingsTexts.chartMinute)).toHaveProperty('checked', true)
  await user.click(radio(settingsTexts.chartRound))
  expect(readChartViewPin()).toBe('round')
  await user.click(radio(settingsTexts.chartAuto))
  expect(readChartViewPin()).toBeNull()
  expect(radio(settingsTexts.chartAuto)).toHaveProperty('checked', true)
})
