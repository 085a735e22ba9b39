import { convertsToCode, isTaskInLanguage, namesProgram, targetAt } from './code-target.ts'

const polite =
  'please|bitte|por favor|ok|okay|hey|hi|hello|hallo|hola|thanks|thank you|danke|gracias|great|now|then|also|and|so|just|jetzt|dann|und|nun|y|ahora|pues|next|first|mal|mir|me'
const asking =
  'can you|could you|would you|will you|can we|i need you to|i want you to|i would like you to|i d like you to|i need to|i want to|i would like to|i d like to|let s|help me to|help me|' +
  'puedes|podrias|podria|puede|me puedes|me podrias|quiero que|quiero|necesito que|necesito|quisiera|ayudame a'
const verbsLast = '(?:kannst|konntest|wurdest|konnen|konnten|wurden) (?:du|sie)|ich (?:mochte|will|wurde gerne?|hatte gerne?)|hilf mir'

const writes =
  'write|generate|create|implement|build|code|develop|produce|program|draft|compose|craft|scaffold|' +
  'schreib(?:e|en|st)?|erstell(?:e|en)?|erzeuge?n?|generiere?n?|implementiere?n?|programmiere?n?|entwickle|entwickeln|entwirf|baue?n?|' +
  'escrib(?:e|eme|ir|a|ame|as)|escribirme|gener(?:a|ame|ar|e|es)|cre(?:a|ame|ar|e|es)|implement(?:a|ame|ar|e|es)|desarroll(?:a|ame|ar|e|es)|program(?:a|ame|ar|e|es)|construye|construir'
const changes =
  'make|turn|transform|repeat|redo|regenerate|fix|correct|repair|debug|refactor|rewrite|convert|translate|port|complete|finish|extend|modify|change|adapt|optimi[sz]e|add|' +
  'wiederhole?n?|umschreiben|fuge|mache?n?|korrigiere?n?|repariere?n?|behebe?n?|verbessere?n?|wandle|ubersetze?n?|vervollstandige?n?|erweitere?n?|andere?n?|erganze?n?|' +
  'repite|reescribe|haz|hazme|hacer|hagas|corrige|corrigeme|corregir|arregla|arreglar|convierte|traduce|completa|modifica|anade|cambia'
const shows =
  'give me|show me|send me|provide|gib mir|zeige? mir|schick mir|geben|zeigen|dame|muestrame|ensename|proporciona|provide me with'

const things =
  'code|source code|functions?|scripts?|endpoints?|snippets?|programs?|loops?|class|classes|methods?|query|queries|handlers?|regex|unit tests?|modules?|webhooks?|connectors?|apis?|routines?|algorithms?|implementations?|boilerplate|crud|' +
  'funktion(?:en)?|skripte?|code|endpunkte?|programme?|schleifen?|schnipsel|klassen?|methoden?|abfragen?|codebeispiele?|schnittstellen?|algorithmus|moduls?|' +
  'codigo|funcion|funciones|programas?|bucles?|consultas?|fragmentos?|clases?|metodos?|algoritmos?|modulos?|rutinas?'
const samples = 'examples?|beispiele?|ejemplos?'
/** What a user may want instead of code, even in terms of code. */
const texts =
  'summary|overview|explanation|description|documentation|docs?|lists?|definitions?|differences?|details|articles?|e ?mails?|essay|poem|reports?|comparison|readme|text|sure|help|sense|plan|how|what|why|understand|know|learn|answer|' +
  'zusammenfassung|ubersicht|erklarung|beschreibung|dokumentation|listen?|definition|unterschiede?|vergleich|bericht|hilfe|wie|was|warum|verstehen|wissen|lernen|antwort|' +
  'resumen|explicacion|descripcion|documentacion|lista|definicion|diferencias?|ayuda|como|que es|por que|entender|saber|aprender|respuesta'

const opening = new RegExp(`^(?:(?:${polite}|${asking}) ){0,6}`)
const openingLast = new RegExp(`^(?:(?:${polite}) ){0,3}(?:${verbsLast})\\b`)
const startsWriting = new RegExp(`^(?:me )?(?:${writes})\\b`)
const startsChanging = new RegExp(`^(?:${changes})\\b`)
const startsShowing = new RegExp(`^(?:${shows})\\b`)
const hasVerb = new RegExp(`\\b(?:${writes}|${changes}|geben|zeigen)\\b`)
const sample = new RegExp(`\\b(?:${samples})\\b`)
/** A payment method is changed by the platform, unless it is to be written. */
const thing = new RegExp(`(?<!\\bpayment )\\b(?:${things})\\b(?! de pago)`)
const thingOrSample = new RegExp(`\\b(?:${things}|${samples})\\b`)
const shown = /\b(?:code|snippets?|scripts?|programs?|implementation|skript|schnipsel|programm|codebeispiele?|codigo|fragmento|programa)\b/
/** Verbs whose object is code, whatever its name; as nouns they have no article after them. */
const codes =
  /^(?:(?:implement|reimplement|implementiere?n?|programmiere?n?|implementa|implementame|implementar)\b|(?:code|program|programa|prototype|script|debug|refactor)(?: up| me)? (?:an?|the|some|this|that|it|me|un|una|el|la|esto|eso)\b)/
const gets =
  /^(?:(?:please|ok|hi|hello|hey|and|so|bitte|hallo|und|por favor|hola|y) )?(?:(?:(?:can|could|may|might) (?:i|we)|do you|kann ich|konnte ich|hast du|haben sie|habt ihr|puedo|podria|podemos|tienes|tiene|me) (?:please |also |bitte |maybe )?(?:get|have|see|haben|bekommen|sehen|tener|ver|das|pasas)?) ?/
const indefinite = /^ (?:an?|some|eine?n?|una?) /
const isGot =
  /^(?:(?:an?|some|the|any|ein|eine|einen|un|una|algun|el) )?(?:\w+ )?(?:code|snippets?|scripts?|programs?|implementation|skript|schnipsel|programm|codebeispiele?|codigo|fragmento|programa)(?: (?:for|to|that|which|with|fur|um|zum|das|die|der|mit|para|que|de)\b|$)/
const text = new RegExp(`\\b(?:${texts})\\b`)
const needs =
  /^(?:need|i (?:need|want|would like|d like)|we need|ich (?:brauche|benotige|mochte|will|hatte gerne?)|wir brauchen|necesito|quiero|quisiera|necesitamos)\b/
const nounFirst =
  /^(?:an? |some |the |eine? |una? )?(?:\w+ )?(?:code|function|script|endpoint|snippet|program|funktion|skript|endpunkt|programm|codigo|funcion|programa) (?:to|for|that|which|die|der|das|um|zum|fur|que|para)\b/
const asks =
  /^(?:(?:and|so|but|also|then|ok|hello|hi|hey|und|aber|also|hallo|y|pero|hola) )?(?:what|why|when|where|who|which|how|does|do(?! (?:it|that|this|the same)\b)|did|is|are|was|warum|wann|wo|wer|welche[rsn]?|wie|wieso|gibt|que|por que|cuando|donde|quien|cual|como)\b/
const explains =
  /^(?:(?:please|bitte|por favor|can you|could you|kannst du(?: mir)?|puedes) )?(?:explain|describe|erklare?n?|erlautere?|explica|explicame|explicar)\b/
const secondly = new RegExp(`\\b(?:and|then|und|dann|y|luego) ((?:also |bitte |por favor )?(?:${writes})\\b.*)`)

/** What German compounds end with: `Hilfsfunktion` is a function, `Zahlungsmethode` is not a method. */
const heads =
  'funktion funktionen skript skripte code endpunkt endpunkte programm programme schleife schleifen klasse methode abfrage abfragen'.split(
    ' ',
  )

/** Whether a clause asks for code to be written, changed or shown, not for an explanation. */
export function asksForCode(words: string, language: string): boolean {
  const clause = words
    .split(' ')
    .map((word) => (word.startsWith('zahlung') ? word : (heads.find((head) => word.endsWith(head)) ?? word)))
    .join(' ')
  if (openingLast.test(clause) && hasVerb.test(clause)) return isWanted(thingOrSample, clause.replace(openingLast, ''), language)
  const got = gets.exec(clause)?.[0]
  if (got && isGot.test(clause.slice(got.length).replace(` ${language} `, ' '))) return true
  if (asks.test(clause)) return false
  const rest = clause.replace(opening, '')
  if (convertsToCode(rest.split(' '), language)) return true
  if (codes.test(rest) && rest.includes(' ')) return rest.search(text) < 0 || comesFirst(thing, rest.replace(startsWriting, ''))
  if (startsWriting.test(rest)) return isWritten(rest.replace(startsWriting, ''), language)
  if (startsChanging.test(rest)) return isWanted(thing, rest.replace(startsChanging, ''), language)
  if (startsShowing.test(rest)) return isShown(rest.replace(startsShowing, ''), language)
  if (needs.test(clause)) return isWanted(thing, clause.replace(needs, ''), language)
  if (nounFirst.test(rest)) return true
  if (
    !explains.test(clause) &&
    (isTaskInLanguage(rest.split(' '), language) || isCodeIn(rest, language) || namesProgram(clause.split(' '), language))
  )
    return true
  const next = secondly.exec(rest)?.[1]
  return next !== undefined && comesFirst(thingOrSample, next.replace(startsWriting, ''))
}

/** Whether a clause asks a question, or for an explanation. */
export function isQuestion(clause: string): boolean {
  return asks.test(clause) || explains.test(clause)
}

/** Some only name the language: `write Go that …`. */
function isWritten(rest: string, language: string): boolean {
  return rest.startsWith(` ${language} `) || isWanted(thingOrSample, rest, language)
}

/** `hashing code in Go`, and nothing more. */
function isCodeIn(rest: string, language: string): boolean {
  const words = rest.split(' ')
  return shown.test(rest) && words.length <= 5 && targetAt(words, language) === words.length - 1
}

/** Code by its name, or anything in the language: `write a calculator in Go`. */
function isWanted(wanted: RegExp, rest: string, language: string): boolean {
  return (
    comesFirst(wanted, rest) || (targetAt(rest.trim().split(' '), language) > 0 && rest.search(text) < 0 && !rest.startsWith(' about '))
  )
}

/** `Show me the function` may want its documentation; `give me a function` does not. */
function isShown(rest: string, language: string): boolean {
  if ([` ${language} for `, ` ${language} to `, ` ${language} that `].some((named) => rest.replace(' the ', ' ').startsWith(named)))
    return true
  return comesFirst(shown, rest) || (indefinite.test(rest) && !sample.test(rest) && comesFirst(thing, rest))
}

/**
 * The wanted thing is named before what it is about: `a function that returns a list`, `a list of
 * functions`.
 */
function comesFirst(wanted: RegExp, rest: string): boolean {
  const at = rest.search(wanted)
  const other = rest.search(text)
  return at >= 0 && (other < 0 || at < other)
}
