/** Words before the name of the wanted language. */
const before = new Set('in to into as using with via nach als mit auf en a al como con usando'.split(' '))
const beforeCode = new Set('as into to als como a en'.split(' '))
const articles = new Set('a an some the plain pure valid ein einen reines reinem un el code codigo script'.split(' '))
const code = new Set('code codigo script skript snippet'.split(' '))

/**
 * Where a clause names the wanted language: `… in Go`, `… as a Go script`, `… into code`; -1 when
 * it does not.
 */
export function targetAt(words: readonly string[], language: string): number {
  return words.findIndex((word, index) => {
    const [near = '', far = '', farther = ''] = [words[index - 1], words[index - 2], words[index - 3]]
    const reaches = (names: ReadonlySet<string>): boolean =>
      names.has(near) || (articles.has(near) && (names.has(far) || (articles.has(far) && names.has(farther))))
    return word === language ? reaches(before) : code.has(word) && reaches(beforeCode)
  })
}

const converts =
  /^(?:do|redo|try|repeat|rewrite|translate|convert|turn|transform|port|express|put|say|write|rephrase|reword|regenerate|mache?n?|wiederhole?n?|ubersetze?n?|wandle|schreibe?n?|formuliere?n?|haz|hazlo|hazme|repite|traduce|convierte|reescribe|escribe|pasa|pon)\b/
const restates =
  /^\w+ (?:\w+ ){0,3}?(?:it|that|this|these|those|same|answer|reply|response|explanation|das|dies|dasselbe|gleiche|selbe|antwort|erklarung|eso|esto|mismo|respuesta|explicacion)\b/

/**
 * Whether a clause wants the previous content as code: `translate your answer to Go`, `now do the
 * same in Go`.
 */
export function convertsToCode(words: readonly string[], language: string): boolean {
  const clause = words.join(' ')
  return targetAt(words, language) > 0 && converts.test(clause) && restates.test(clause)
}

const counted = new Set(
  'a an the my this that these those two three all some each every ein eine einen zwei drei alle un una unos dos tres todos todas cada'.split(
    ' ',
  ),
)
/** Words that start a task to be answered in words, a question, or no task at all. */
const noTasks = new Set(
  (
    'explain describe list show tell find search look compare summarize summarise define know learn understand see check mention name give get is are was do does did can could may might must shall should would will has have had be ' +
    'what which why when where who how if when while for of in on at to from with without about and or but not no a an the my this that these those all some each every there it ' +
    'erklare erklar beschreibe liste zeige zeig nenne suche finde vergleiche ist sind war kann konnen darf muss soll hat haben gibt was welche wie wo wann warum ein eine einen der die das alle ' +
    'explica describe lista muestra busca encuentra compara es son esta hay puede que cual como cuando donde un una el la los las todos todas'
  ).split(' '),
)

/** Whether a clause gives a task in the imperative, and a language to do it in: `sort a list in Go`. */
export function isTaskInLanguage(words: readonly string[], language: string): boolean {
  const [verb = '', object = ''] = words
  return !noTasks.has(verb) && counted.has(object) && targetAt(words, language) > 1
}

const classics =
  /\b(?:fizz ?buzz|fibonacci|factorial|fakultat|hello world|hallo welt|hola mundo|(?:quick|merge|bubble|insertion|heap) ?sort|binary search|palindromes?|prime numbers|primzahlen|numeros primos|towers? of hanoi|tic tac toe|game of life|todo (?:app|list))\b/

/** Whether a clause only names a well-known program, with or without the language. */
export function namesProgram(words: readonly string[], language: string): boolean {
  return classics.test(words.join(' ')) && (words.length <= 3 || targetAt(words, language) > 0)
}
