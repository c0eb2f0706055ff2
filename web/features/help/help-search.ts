import { foldForSearch } from '#web/platform/search-text.ts'
import type { HelpTopic } from './help-texts.ts'

/**
 * The topics with the questions that contain every word of a text, in the question, the answer or the topic's title.
 * Accents and case do not matter. An empty text matches everything.
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
