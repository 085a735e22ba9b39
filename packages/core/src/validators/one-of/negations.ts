import { foldText } from '../shared/fold-case.ts'

/** Words that turn a sentence into its opposite, in English and German; what they leave out of an apostrophe is there too. */
const negations: ReadonlySet<string> = new Set(
  (
    'no not never neither nor none nothing nobody nowhere without cannot hardly barely dont doesnt didnt isnt arent wasnt werent cant wont ' +
    'nein nicht nie niemals nichts niemand nirgends weder noch ohne kaum kein keine keinen keinem keiner keines keinesfalls keineswegs'
  ).split(' '),
)

/** The words of a text that negate, in order. */
function negationsIn(text: string): string[] {
  const words = foldText(text)
    .replaceAll('’', "'")
    .split(/[^\p{L}\p{N}\p{M}']+/u)
  return words.filter((word) => word.endsWith("n't") || negations.has(word))
}

/** Whether a text negates in another way than a value does, as “not a bug” does beside “bug”. */
export function negatesOtherwise(text: string, value: string): boolean {
  return negationsIn(text).join(' ') !== negationsIn(value).join(' ')
}
