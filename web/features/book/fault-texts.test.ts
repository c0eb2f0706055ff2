import { expect, test } from 'vitest'
import { FAULTS_OF } from '#domain/book/faults.ts'
import { faultTexts } from './fault-texts.ts'

test('every fault that a checker can find has a sentence of its own', () => {
  expect(Object.keys(faultTexts).toSorted()).toEqual(Object.values(FAULTS_OF).flat().toSorted())
  const sentences = Object.values(faultTexts)
  expect(new Set(sentences).size).toBe(sentences.length)
  for (const sentence of sentences) expect(sentence).toMatch(/^\p{Lu}.{15,}\.$/u)
})
