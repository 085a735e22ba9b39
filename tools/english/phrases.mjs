import { parseSync } from 'vite'

// Phrases that are grammatical and read translated, each with what to write instead. Keep them precise: a phrase that ordinary English needs does not belong here.

/** @type {readonly import('./phrases.mjs').Phrase[]} */
export const phrases = [
  { pattern: /\bin earnest\b/i, instead: 'in production' },
  { pattern: /\bwords for people\b/i, instead: 'messages' },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: 'repair' },
  { pattern: /\b(?:for|of) those who\b/i, instead: 'for operators, for authors of …' },
  { pattern: /\bwhat bec[ao]mes? of\b/i, instead: 'the outcome of' },
  { pattern: /(?<!\b(?:you|model|models) )\b(?:is|are) told\b(?! apart)|\bbe told of\b/i, instead: 'is reported' },
  { pattern: /\bhow is decided\b/i, instead: 'how to decide' },
  { pattern: /\bnothing of the inside\b/i, instead: 'internals are never exposed' },
  { pattern: /\bwhat (?:stands|stood)\b|\bstands? (?:once|twice|behind|beside|there)\b|\bwhere (?:it|they) stands?\b/i, instead: 'is' },
  { pattern: /\bmust not stand\b|\bmay stand\b/i, instead: 'may be' },
  { pattern: /\bwhoever\b/i, instead: 'anyone who, clients that' },
  { pattern: /\bWho (?:only|uses|wants|reads|writes|waits|leaves)\b(?![^.]*\?)/, instead: 'a client that, if you' },
  {
    pattern:
      /(?<!there )\b(?:is|are|was|were) no (?:JSON|verdicts?|headers?|markers?|tools?|speed|numbers?|objects?|errors?|statements?|calls?|code|steps?|regular|dependency|failures?)\b/i,
    instead: 'is not a …',
  },
  { pattern: /\bafresh\b/i, instead: 'over, from the start' },
  { pattern: /\b(?:asked|made|built|written|opens?|loads?|begins?|reads?|starts?) (?:\w+ ){0,3}anew\b/i, instead: 'again' },
  { pattern: /\bdoom(?:s|ed) (?:it|them)\b/i, instead: 'stopped it' },
  { pattern: /\ball the same\b/i, instead: 'still' },
  { pattern: /\bsigns? of life\b/i, instead: 'keep-alive messages' },
  { pattern: /\blets? (?:it|the answer) out\b/i, instead: 'delivers' },
  { pattern: /\bslip of the pen\b/i, instead: 'typo' },
  {
    pattern:
      /(?:^|\| |[.:;,] )most (?:bytes|characters|calls|processes|requests|messages|seconds|milliseconds|megabytes|tokens|passages|answers|dollars|entries)\b/im,
    instead: 'maximum …',
  },
]

/**
 * What comments in sources must not say either: metaphors where the field has a word of its own, and phrases that leave open who does what.
 * @type {readonly import('./phrases.mjs').Phrase[]}
 */
export const commentPhrases = [
  ...phrases,
  {
    pattern: /\b(?:house|entrances?|lanes?|turnstiles?|rulings?|sidings?|doors?|errands?)\b/i,
    instead: 'the field’s own word: package, route, queue, limit, verdict',
  },
  { pattern: /\b(?:stands?|stood)\b(?! (?:for|in for|still)\b|-)/i, instead: 'is' },
  { pattern: /(?:^\s*|[;,:] |\band )tells? (?:whether|which|how|when|where)\b/im, instead: 'returns, reports' },
  { pattern: /\b(?:(?:for|and|of) what|when it) is none\b/i, instead: 'for any other value' },
]

/** Most words between two full stops, colons or semicolons of a comment. */
const mostWords = 34

/** What of a Markdown page is read as prose: not its code blocks, inline code and comments, but with the same lines. */
export function prose(markdown) {
  const blank = (text) => text.replace(/[^\n]/g, ' ')
  return markdown
    .replace(/^( *)(```+|~~~+)[^\n]*\n[\s\S]*?^ *\2 *$/gm, blank)
    .replace(/<!--[\s\S]*?-->/g, blank)
    .replace(/`[^`\n]*`/g, blank)
}

/** The phrases in a text, with the line of each. */
export function findPhrases(text, list = phrases) {
  return list.flatMap(({ pattern, instead }) =>
    [...text.matchAll(new RegExp(pattern, `${pattern.flags}g`))].map(({ 0: found, index }) => ({
      line: text.slice(0, index).split('\n').length,
      found: found.trim(),
      instead,
    })),
  )
}

/** What is wrong with the English of the comments of a source file, with the line of each. */
export function findInComments(source, file) {
  return parseSync(file, source).comments.flatMap(({ value, start }) => {
    const first = source.slice(0, start).split('\n').length
    const text = value.replace(/^\*|^ *\*(?= |$)/gm, '').replace(/`[^`\n]*`/g, 'x')
    const long = text
      .split(/[.;:](?=\s|$)|\n\s*(?:\n|- )/)
      .filter((part) => part.trim().split(/\s+/).length > mostWords)
      .map((part) => ({ line: first, found: part.trim().replace(/\s+/g, ' '), instead: `sentences of at most ${mostWords} words` }))
    return [...findPhrases(text, commentPhrases).map((one) => ({ ...one, line: first + one.line - 1 })), ...long]
  })
}
