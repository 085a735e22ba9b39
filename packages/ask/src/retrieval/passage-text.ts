/** A passage and the headings above it, from the outermost. */
export interface Headed {
  readonly headings: readonly string[]
  readonly text: string
}

/** What is searched of a passage, by words and by vectors: what it says, and its headings once more, because they tell best what it is about. */
export function searchableText(passage: Headed): string {
  return [...passage.headings, passageText(passage)].join('\n')
}

/** What a passage says to whoever reads it: the headings above it, each once, then its text. */
export function passageText({ headings, text }: Headed): string {
  const above = hasHeading(text, headings.at(-1)) ? headings.slice(0, -1) : headings
  return above.length === 0 ? text : `${above.join(' › ')}\n\n${text}`
}

/** Whether a passage begins with the heading that is right above it. */
function hasHeading(text: string, heading: string | undefined): boolean {
  return heading !== undefined && /^#{1,6} /.test(text) && text.slice(text.indexOf(' ')).trimStart().startsWith(heading)
}
