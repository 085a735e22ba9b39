import { Answer } from '../../answer/answer.ts'
import { matchesFrom } from '../shared/rewritten-text.ts'
import { isKnownActive } from './html-tag.ts'
import { type FoundHtml, HtmlWatch, htmlStart } from './html-watch.ts'

/** Active HTML in the reasoning at the start of a text, which a client may show: it is read as Markdown of which the reasoning is a part. */
export function* htmlInReasoning(reasoning: string): Generator<FoundHtml> {
  // A tag that nobody knows, so that reasoning is not passed over.
  const text = reasoning.replace(/^\s*<\w+>/, (tag) => tag.replace(/\w/g, 'x'))
  const answer = new Answer(text)
  const watch = new HtmlWatch('inert', ({ start, end }) => text.slice(start, end))
  for (const { index } of matchesFrom(htmlStart, text, 0)) {
    const found = watch.judge(index, answer, text.length, true)
    // Its other tags are often types and templates that it thinks about.
    if (found !== undefined && found !== 'open' && isKnownActive(text, index)) yield found
  }
}
