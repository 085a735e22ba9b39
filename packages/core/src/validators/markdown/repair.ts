import type { Answer } from '../../answer/answer.ts'
import type { Certificate } from '../../contract/certificate.ts'
import { rightLevel } from './heading-watch.ts'
import type { MarkdownOptions } from './options.ts'

/** Gives headings that start with `#` the level that is nearest to theirs; the words stay. */
export function* repairLevels({ text, headings }: Answer, rules: MarkdownOptions['headings']): Generator<Certificate> {
  let before: number | undefined
  for (const { level, span } of headings) {
    const right = rightLevel(level, before, rules)
    before = right
    if (right === level) continue
    const start = text.indexOf('#', span.start)
    if (start < 0 || start >= span.end || text.slice(start, start + level) !== '#'.repeat(level)) continue
    yield {
      rule: 'heading-level',
      class: 'lossy',
      span: { start, end: start + level },
      before: '#'.repeat(level),
      after: '#'.repeat(right),
    }
  }
}
