import { terms } from '@stickler/core/relevance'

const words = `a about all am an and any are as at be been but by can could did do does for from had has have how i if in into is it its may
me might my no not of on or our shall should so than that the their them then there these they this those to too us was we were what when where
which who whom whose why will with would you your explain tell describe show give please mean means meant work works happen happens
handle handled deal use used using need needs want find get gets make makes
aber als am an auch auf aus bei bin bis das dass dem den der des die diese dieser dieses du ein eine einem einen einer eines er es für gibt hat
haben hast ich ihr im in ist kann können man mein mit nach nicht oder sein sich sie sind so um und uns von war warum was wann wie wird wo wozu
zu zum zur über erkläre bitte bedeutet funktioniert`

/** Terms that say nothing about what a question is about. */
export const commonTerms: ReadonlySet<string> = new Set(terms(words))
