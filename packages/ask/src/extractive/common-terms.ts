import { terms } from '@stickler/core/internal/relevance'

const english = `a about all am an and any are as at be been between but by can could did do does exactly for from had has have how i if in into is it
its kind long many may me might much my no not of often on or our own possible see shall should so than that the their them then there these they
this those to too us was way we were what when where which who whom whose why will with would you your explain tell describe difference differ show
give please mean means meant certain completely instead already still just also again always ever even yet really sure maybe
become becomes able try let like other another such some every each problem work works happen happens handle handled deal use used using need needs want find get gets make makes`

const german = `aber als am an auch auf aus bei bin bis das dass dem den der des die diese dieser dieses du ein eine einem einen einer eines er es für
gibt habe haben hast hat ich ihr im in ist kann können man mein mit muss nach nicht oder oft sein sich sie sind so um und uns unterschied viel viele von
war warum was wann welche welcher welches werden wie wird wo wofür wozu zu zum zur zwischen lange über erkläre bitte bedeutet funktioniert statt anstatt schon noch
nur immer wieder auch etwa ganz bestimmte bestimmter möglich`

/** Terms that do not describe a subject. */
export const commonTerms: ReadonlySet<string> = new Set(terms(`${english} ${german}`))

const [englishWords, germanWords] = [english, german].map((words) => new Set(words.split(/\s+/)))

/** Whether a question is German rather than English, by its common words. */
export function isGerman(question: string): boolean {
  let balance = 0
  for (const word of question
    .slice(0, 2000)
    .toLowerCase()
    .split(/[^\p{L}]+/u)) {
    balance += Number(germanWords?.has(word)) - Number(englishWords?.has(word))
  }
  return balance > 0
}
