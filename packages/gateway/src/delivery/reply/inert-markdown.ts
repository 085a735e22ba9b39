/**
 * What can start a link, an image, code, an entity, a formula or HTML in Markdown, as GitHub and
 * chats render it.
 */
const live = /[`\\<>[\]&$@]|:\/\/|www\.|mailto:|xmpp:/i

/**
 * One line that every Markdown renderer shows as plain words: anything that could be markup is in a
 * code span.
 */
export function inertMarkdown(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (!live.test(line)) return line
  return line
    .split(' ')
    .map((word) => (live.test(word) ? codeSpan(word) : word))
    .join(' ')
}

/** Ends only after the text: its fence is longer than any in it. */
function codeSpan(text: string): string {
  const runs = text.match(/`+/g)
  if (runs === null) return `\`${text}\``
  const fence = '`'.repeat(runs.reduce((longest, { length }) => Math.max(longest, length), 0) + 1)
  return `${fence} ${text} ${fence}`
}
