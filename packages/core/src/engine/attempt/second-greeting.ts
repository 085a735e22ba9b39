/** Words with which a model turns to who asked, before it answers. */
const assents = phrases(
  'sure, sure thing, certainly, of course, absolutely, gladly, okay, ok, understood, got it, all right, alright, no problem, you are right, right',
  'klar, natürlich, gern, gerne, selbstverständlich, sicher, verstanden, alles klar, in ordnung, kein problem',
)

/** Words that begin a longer clause of that kind. */
const apologies = phrases(
  "sorry, i'm sorry, i am sorry, my apologies, apologies, i apologize, i apologise, my mistake, thank you, thanks",
  'entschuldigung, entschuldige, verzeihung, es tut mir leid, danke',
)

/** Beginnings of a sentence that announces what follows. */
const announcements = phrases(
  "here, here's, below, this is, continuing, to continue, let me continue, let's continue, i will continue, i'll continue, i'll go on",
  'hier, bitte, bitte sehr, nun folgt, es folgt, fortsetzung, ich setze, ich fahre, weiter',
)

/** What only an announcement of a corrected or continued answer says. */
const aboutAnswer = phrases(
  'continu, correct, revis, rewritten, fixed, remaining, the rest, updated, without repeating, where i left',
  'fortsetz, korrig, korrektur, überarbeit, restlich, der rest',
)

const longestClause = 60
const longestAnnouncement = 120
/** So much of a reply is looked at. */
const window = 256

function phrases(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(', '))
}

/** A text as it is compared. */
function folded(text: string): string {
  return text.slice(0, window).toLowerCase().replaceAll('’', "'")
}

function begins(text: string, known: readonly string[]): boolean {
  return known.some((phrase) => text.startsWith(phrase) && !/^[\p{L}\p{N}]/u.test(text.slice(phrase.length)))
}

/** What a text opens with: the ends of an assent and of an announcement after it, each with its punctuation; 0 where there is none. */
interface Opening {
  readonly assent: number
  readonly announcement: number
  /** Whether the assent is a sentence of its own, and not the start of a longer one. */
  readonly isSentence: boolean
  readonly isAboutAnswer: boolean
}

function openingOf(text: string): Opening {
  const read = folded(text)
  const from = read.length - read.trimStart().length
  const clause = /^[^.!?,:;–—\n]*/.exec(read.slice(from))?.[0] ?? ''
  const isApology = clause.length <= longestClause && begins(clause, apologies)
  const marks = /^(?:[.!]+|[,:;–—])?(?=\s|$)/.exec(read.slice(from + clause.length))?.[0]
  const hasAssent = marks !== undefined && (isApology || assents.includes(clause.trim()))
  const assent = hasAssent ? from + clause.length + marks.length : 0
  const start = Math.max(from, assent)
  const told = read.slice(start).trimStart()
  const line = /^[^.!?:\n]*:(?=\s|$)/.exec(told)?.[0] ?? ''
  const isAnnounced = line !== '' && line.length <= longestAnnouncement && begins(line, announcements)
  return {
    assent,
    announcement: isAnnounced ? read.length - told.length + line.length : 0,
    // Thanks and apologies may be what a letter says.
    isSentence: hasAssent && !isApology && /^[.!]/.test(marks),
    isAboutAnswer: isAnnounced && aboutAnswer.some((words) => line.includes(words)),
  }
}

/**
 * The length of the greeting at the start of a reply that should continue delivered text; 0 when there is none, or when it may be part of the answer. It is
 * one where only a greeting has been delivered, within a sentence, where an announcement is about the answer itself, and for an assent after a greeting.
 */
export function secondGreeting(reply: string, delivered: string): number {
  const { assent, announcement, isSentence, isAboutAnswer } = openingOf(reply)
  const end = announcement > 0 ? announcement : isSentence ? assent : 0
  // Within a sentence, small letters go on with it.
  if (end === 0 || end >= window || !/^\s*\p{Lu}/u.test(reply)) return 0
  const first = openingOf(delivered)
  const greeted = Math.max(first.assent, first.announcement)
  const isOnly = greeted >= delivered.trimEnd().length
  const isWithin = /[\p{L}\p{N},] ?$/u.test(delivered) && !/^ *[\r\n]/.test(reply)
  // What follows a question, or a name with a colon, is its answer.
  const isAnswer = /[?:"“„«>]\s*$/.test(delivered)
  const isGreeting = isAboutAnswer || isOnly || isWithin || (greeted > 0 && assent > 0 && !isAnswer)
  return isGreeting && (isAboutAnswer || first.announcement === 0 || saysNothingNew(reply.slice(assent, end), delivered)) ? end : 0
}

/** Whether an announcement announces what has been announced: the plan for tomorrow is not the one for today. */
function saysNothingNew(announcement: string, delivered: string): boolean {
  const told = new Set(wordsOf(delivered))
  return wordsOf(announcement).every((word) => word.length < shortestWord || told.has(word) || announcements.includes(word))
}

/** Shorter words are articles, pronouns and the like. */
const shortestWord = 4

function wordsOf(text: string): readonly string[] {
  return folded(text).match(/[\p{L}\p{N}']+/gu) ?? []
}

/** Whether a reply that has only begun may turn out to greet. */
export function mayGreet(reply: string): boolean {
  const read = folded(reply).trimStart()
  const known = [...assents, ...apologies, ...announcements]
  return begins(read, known) || known.some((phrase) => phrase.startsWith(read))
}
