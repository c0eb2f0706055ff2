import { foldForSearch } from '#domain/search-text.ts'
import type { HelpQuestion, HelpTopic } from './help-texts.ts'

/**
 * Returns, by topic, the questions that match: each word of `text` occurs in the question, in its answer, or in the
 * topic's title.
 */
export function searchHelp(topics: readonly HelpTopic[], text: string): readonly HelpTopic[] {
  const words = foldForSearch(text).split(/\s+/).filter(Boolean)
  if (words.length === 0) return topics
  return topics.flatMap(({ title, questions }) => {
    const matching = questions.filter(({ question, answer }) => {
      const folded = foldForSearch([title, question, ...answer].join(' '))
      return words.every((word) => folded.includes(word))
    })
    return matching.length === 0 ? [] : [{ title, questions: matching }]
  })
}

/**
 * Returns a function that finds up to four questions near a text. A word of the text counts more if fewer questions or
 * answers contain it, and it counts three times as much in a question as in an answer.
 */
export function nearestIn(topics: readonly HelpTopic[]): (text: string) => readonly HelpQuestion[] {
  const known = topics
    .flatMap(({ questions }) => questions)
    .map((one) => ({ one, asked: wordsOf(one.question), all: wordsOf([one.question, ...one.answer].join(' ')) }))
  return (text) => {
    const weights = [...wordsOf(text)]
      .filter((word) => word.length > 1)
      .map((word) => ({ word, holders: known.filter(({ all }) => all.has(word)).length }))
    return known
      .map(({ one, asked, all }) => ({
        one,
        nearness: weights.reduce(
          (sum, { word, holders }) => sum + (all.has(word) ? (asked.has(word) ? 3 : 1) / holders : 0),
          0,
        ),
      }))
      .filter(({ nearness }) => nearness >= nearFrom)
      .toSorted((a, b) => b.nearness - a.nearness)
      .slice(0, 4)
      .map(({ one }) => one)
  }
}

/** A question whose nearness is lower than this is not returned. */
const nearFrom = 0.75

const wordsOf = (text: string): ReadonlySet<string> => new Set(foldForSearch(text).split(/[^\p{L}\p{N}]+/u))
