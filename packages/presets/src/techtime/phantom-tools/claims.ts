import type { Mention } from './mentions.ts'

/** What the text says of a name: that it was run, which is said of tools, used, which is said of anything, or neither. */
export type Claim = 'ran' | 'used' | 'denied'

/** What may be between "I" and "called": after anything else it introduces a name, as in "I made a list called". */
const adverbs = '(?:(?:have|had|has|been|also|just|then|now|already|first|next|once|twice|again|not|never|only|both|and|\\w+ly)\\s+){0,3}?'
/** What may be between the verb and the name. */
const leadIn = '(?:(?:the|a|my|our|tool|command|program|das|den|die|jetzt|nun|noch|zuerst|zunächst|dann|erneut|gleich|kurz)\\s+){0,3}'
const use = 'use|try|trigger|start|launch|query|starte(?:te)?n?|nutzen?|benutzen?|verwenden?'
const didUse = 'used|tried|triggered|started|launched|queried|performed|asked|consulted|polled'
const doing = 'running|calling|executing|invoking|using|triggering|starting|launching|querying'
const english =
  // backtracks: the text before a word is cut to its last characters
  new RegExp(
    `\\b(?:(?:I|we|let me|let['’]s|ich|wir)(?:['’](?:ve|ll|m|d))?\\s(?:(?<called>${adverbs}called)|(?:[\\w'’]+\\s){0,3}?` +
      `(?:(?<past>ran|executed|invoked)|(?<present>run|call|execute|invoke)|${use}|${didUse}|${doing}))|` +
      `(?:starte(?:te)?n?|nutzen?|benutzen?|verwenden?)\\s+(?:ich|wir))\\s+${leadIn}$`,
    'i',
  )
/** What makes "run" a claim: it has been done, or is about to be. */
const notHabit = /\b(?:have|had|will|going to|let me|let['’]s)\b|['’](?:ve|ll)\b/i
const subject = /\b(?:I|we|let me|ich|wir)\b/i
/** What makes a statement none: it is denied, or only supposed. */
// backtracks: the text around a word is cut to its first and last characters
const denied = /\b(?:not(?!\s+only)|never|cannot|without|nicht(?!\s+nur)|nie|niemals|kein\w*|ohne)(?![\wäöüß])|n['’]t\b/i
const supposed =
  // backtracks: the text before a word is cut to its last characters
  /\b(?:(?:if|unless|whether|falls|wenn|sofern|soweit|solange|ob)\s+(?:[\wäöüß]+\s+)?|(?:shall|should|can|could|may|might|would|must|soll|sollen|sollte|sollten|darf|dürfen|kann|könnte)\s+|(?:möchten|möchtest|willst|wollen|wünschen|wünscht)\s+(?:sie|du|ihr)\s*,?\s*)$/i
/** What makes "I run" an offer, a wish or advice. */
const wished = /\s(?:would|could|should|might|may|can|must|wish|want|suggest|recommend|advise|propose|you)\s/i

/** The name itself is denied: "without calling …", "no tool named …". */
const deniedBefore =
  // backtracks: the text before a word is cut to its last characters
  new RegExp(
    `(?:\\b(?:not(?!\\s+only)|never|cannot|without|unable\\s+to)|n['’]t)\\s+(?:${adverbs}(?:run|call|execute|invoke|access|have(?:\\s+access\\s+to)?|${use}|${doing})\\s+)?${leadIn}$|` +
      '\\b(?:no|kein\\w*|ohne)\\s+(?:such\\s+)?(?:(?:tools?|werkzeuge?|access\\s+to|zugriff\\s+auf)\\s+)?(?:(?:called|named|namens)\\s+)?$',
    'i',
  )
const doneOrThere =
  'run|called|executed|invoked|used|available|offered|provided|ausgeführt|aufgerufen|gestartet|abgefragt|verwendet|benutzt|' +
  'ausführen|aufrufen|starten|abfragen|verwenden|benutzen|nutzen|verfügbar|vorhanden|verfügung'
/** Likewise: "… was never called", "… ist nicht verfügbar". */
const deniedBehind =
  // backtracks: the text after a word is cut to its first characters
  new RegExp(
    '^\\s+(?:tool\\s+)?(?:(?:(?:(?:was|were|is|are|has|have|had|wurden?|ist|sind|waren?|steht|kann|konnte)(?:\\s+[\\wäöüß]+)?\\s+)?' +
      `(?:not(?!\\s+only)|never|nicht(?!\\s+nur)|nie|niemals)|(?:is|was|were|has)n['’]t)\\s+(?:[\\wäöüß]+\\s+){0,2}?(?:${doneOrThere})(?![\\wäöüß])|` +
      "does(?:\\s+not|n['’]t)\\s+exist\\b|(?:habe|haben|hatte|hatten|kenne|kennen)\\s+(?:ich|wir)\\s+(?:[\\wäöüß]+\\s+)?(?:nicht(?!\\s+nur)|nie)(?=\\s*(?:$|[.,;!?\\n]))|(?:existiert|gibt\\s+es)\\s+nicht|(?:nicht|nie)(?=\\s*(?:$|[.,;!?\\n])))",
    'i',
  )

/** The most words between the parts of a German verb. */
const words = '(?:[\\wäöüß,`"“”„*\'’]+\\s+){0,4}?'
const end = '(?![\\wäöüß])'
const have = 'habe|haben|hatte|hatten|werde|werden'
const was = 'was|were|has|have|had'
const call = 'rufen?|riefe?n?|führ(?:t?en?)|frag(?:t?en?)|stoßen?|lös(?:t?en?)'
const ran = 'ausgeführt|aufgerufen|gestartet'
const queried = 'abgefragt|angestoßen|ausgelöst|gestartet'
const used = `verwendet|benutzt|genutzt|eingesetzt|${queried}`
const running = 'ausführen|aufrufen|starten'
const using = 'verwenden|benutzen|nutzen|einsetzen|abfragen|anstoßen|auslösen'
const by = '(?:mit|per|mittels|via|über|mithilfe\\s+von|mit\\s+hilfe\\s+von)(?:\\s+(?:dem|der))?'
const checked =
  'geprüft|überprüft|getestet|gemessen|ermittelt|bestimmt|abgerufen|abgefragt|ausgelesen|gefunden|festgestellt|herausgefunden|diagnostiziert|zurückgesetzt|neu\\s+gestartet'
const since = 'weil|dass|da|nachdem|bevor|während|indem|obwohl|sodass|wobei|woraufhin|wonach'

/**
 * In German the verb comes last, in main clauses only a part of it: "ich habe … verwendet", "weil ich … verwendet habe".
 * What is said of the name alone, "… was called", is not said of a condition: "once … was called".
 */
const around: readonly (readonly [before: RegExp, behind: RegExp])[] = [
  [`\\b(?:(?:ich|wir)\\s+(?:${have})|(?:${have})\\s+(?:ich|wir))\\s+${words}$`, `(?:(?<ran>${ran}|${running})|${used}|${using})${end}`],
  [`\\b(?:(?:ich|wir)\\s+(?:${have})|(?:${have})\\s+(?:ich|wir))\\s+${words}(?:${by})\\s+$`, `(?:${checked})${end}`],
  [`(?<![\\wäöüß])(?:${by})\\s+$`, `(?:${have})\\s+(?:ich|wir)\\s+${words}(?:${checked})${end}`],
  [
    `\\b(?:ich|wir)\\s+(?:konnte|konnten)\\s+${words}(?:${by})\\s+$`,
    `(?:prüfen|testen|messen|ermitteln|bestimmen|feststellen|finden|sehen)${end}`,
  ],
  [
    `(?<![\\wäöüß])(?:${by})\\s+$`,
    `(?:konnte|konnten)\\s+(?:ich|wir)\\s+${words}(?:prüfen|testen|messen|ermitteln|bestimmen|feststellen|finden|sehen)${end}`,
  ],
  [`\\b(?:wurde|wurden)\\s+${words}$`, `(?:(?<ran>${ran})|${queried})${end}`],
  [`\\b(?:(?:ich|wir)\\s+(?:${call})|(?:${call})\\s+(?:ich|wir))\\s+${words}$`, `(?:(?<ran>auf|aus)|ab|an)${end}`],
  [`\\b(?:ich|wir)\\s+${words}$`, `(?:(?<ran>${ran})|${used})\\s+(?:habe|haben|hatte|hatten)${end}`],
  [`\\b(?:ich|wir)\\s+${words}$`, `(?:(?<ran>${running})|${using})\\s+(?:werde|werden)${end}`],
  [
    `\\b(?:${since}|als)\\s+(?:ich|wir)\\s+${words}$`,
    `(?<ran>ausführe|ausführen|ausführte|ausführten|aufrufe|aufrufen|aufrief|aufriefen)${end}`,
  ],
  [
    `\\b(?:${since})\\s+${words}$`,
    `(?:(?<ran>ausgeführt|aufgerufen)|${queried})\\s+(?:worden\\s+)?(?:wurde|wurden|ist|sind|war|waren)${end}`,
  ],
  [`\\bsobald\\s+${words}$`, `(?<ran>ausgeführt|aufgerufen)\\s+(?:worden\\s+)?(?:war|waren)${end}`],
  ['', `(?:wurde|wurden)\\s+${words}(?:(?<ran>ausgeführt|aufgerufen)|${queried})${end}`],
  ['', `(?:wird|werden)\\s+(?:jetzt|nun|gerade|gleich|soeben|im\\s+Moment)\\s+${words}(?:(?<ran>ausgeführt|aufgerufen)|${queried})${end}`],
  [`\\b(?:(?:ich|wir)\\s+(?:habe|haben)|(?:habe|haben)\\s+(?:ich|wir))\\s+${words}$`, `laufen\\s+(?:ge)?lassen${end}`],
  [`\\b(?:(?:ich|wir)\\s+(?:lasse|lassen|ließ|ließen)|(?:lasse|lassen|ließ|ließen)\\s+(?:ich|wir))\\s+${words}$`, `laufen${end}`],
  ['', `(?:ist|sind)\\s+${words}(?:(?<ran>ausgeführt|aufgerufen)|${queried})\\s+worden${end}`],
  ['', `(?:${have})\\s+(?:ich|wir)\\s+${words}(?:(?<ran>${ran}|${running})|${used}|${using})${end}`],
  ['', `(?:${was})\\s+${adverbs}(?:(?<ran>run|executed)|called|invoked|${didUse})(?!\\s+(?:by|from|inside|within)\\b)${end}`],
].map(([before = '', behind = '']) => [
  // backtracks: the text before a word is cut to its last characters
  new RegExp(before || '(?<!\\b(?:once|until|when|sobald|bis)\\s+(?:the\\s+)?)$', 'i'),
  // backtracks: the text after a word is cut to its first characters
  new RegExp(`^\\s+${before === '' ? '' : words}${behind}`, 'i'),
])

/** The name is given as the source of what is said. */
const source =
  // backtracks: the text before a word is cut to its last characters
  /\b(?:laut|gemäß|gemäss|according to|as (?:reported|shown|confirmed|indicated) by)\s+(?:(?:the|der|dem|den|my|our|meiner|unserer)\s+)?(?:(?:outputs?|results?|response|ausgabe|ergebnis(?:sen)?|antwort)\s+(?:of|from|von|des)\s+)?$/i
const sourceBehind = /^\s+zufolge(?![\wäöüß])/i
const told =
  'shows?|showed|says?|said|indicates?|indicated|confirms?|confirmed|reveals?|revealed|reports?|reported|zeigt|zeigten?|meldet|meldeten?|bestätigt|bestätigten?|ergibt|ergab|ergaben'
const went =
  'was|were|has|had|succeeded|failed|timed|crashed|completed|finished|worked|produced|yielded|returned|gave|came|went|war|waren|hat|hatte|lieferte|schlug|scheiterte|gelang|ging|kam|lief|funktionierte|' +
  'ist\\s+(?:erfolgreich|fehlgeschlagen|gescheitert)'
const nouns =
  'calls?|execution|invocation|runs?|outputs?|results?|response|aufruf|ausführung|ausführen|aufrufen|start|abfrage|ausgabe|ergebnis(?:se)?|antwort'
/** Advice, or what was not done: "after running … you will see", "der Aufruf von … war nicht nötig". */
const noAdvice =
  '(?![^.!?\\n]*\\b(?:you|your|will|should|can|may|might|must|would|du|sie|sollten?|kann|können|wird|nötig|notwendig|möglich|necessary|needed|required|possible)\\b)'
const found =
  '(?:found|checked|verified|confirmed|determined|diagnosed|measured|tested|discovered|noticed|saw|see|inspected|(?:double|cross)-checked|obtained|retrieved|fetched|gathered|learned|know|conclude)'
const withName = `(?:using|with|via|through|by\\s+(?:${doing}))\\s+${leadIn}`
/** The text says what came of the name, of its call or of its output. */
const outcomes: readonly (readonly [before: RegExp, behind: RegExp])[] = [
  [`(?:^|[.!?:,;\\n]\\s*|\\b(?:and|then|but|so)\\s+)(?:after|upon)\\s+(?:${doing})\\s+${leadIn}$`, `^${noAdvice},?\\s+\\w`],
  [
    `(?:(?:^|[.!?:]\\s+|\\n)|\\b(?:the|my|our|der|die|das|dem|meine?|unsere?|nach)\\s+(?:[\\wäöüß]+\\s+)?)(?:${nouns})\\s+(?:of|to|from|von|des)\\s+(?:the\\s+)?$`,
    `^${noAdvice}\\s+(?:${told}|${went})${end}`,
  ],
  ['\\b(?:the|my|our|der|die|das)\\s+$', `^${noAdvice}\\s+(?:${nouns})\\s+(?:${told}|${went})${end}`],
  ['\\baus\\s+(?:(?:der|dem)\\s+)?$', `^\\s+(?:geht|ging|ergibt|ergab)\\s+(?:sich|hervor)${end}`],
  [`\\b(?:I|we|let me)(?:['’]ve)?\\s+(?:\\w+\\s+){0,2}?(?:check|${found})\\s+(?:[\\w'’]+\\s+){0,4}?${withName}$`, '^'],
  [`\\b(?:I|we)(?:['’]ve)?\\s+(?:have|got|received|see|saw)\\s+the\\s+(?:outputs?|results?|response)\\s+(?:of|from)\\s+${leadIn}$`, '^'],
  [`\\b(?:from|thanks\\s+to)\\s+${leadIn}$`, `^,?\\s+(?:I|we)(?:['’]ve)?\\s+(?:\\w+\\s+){0,2}?${found}${end}`],
  [`\\bhaving\\s+(?:\\w+\\s+)?(?:run|called|executed|invoked|${didUse})\\s+${leadIn}$`, `^[^.!?\\n]{0,30},\\s+(?:I|we)${end}`],
  ['\\bdank\\s+(?:(?:der|dem)\\s+)?$', `^\\s+(?:weiß|wissen|habe|haben|konnte|konnten)\\s+(?:ich|wir)${end}`],
  ['(?:^|[.!?:]\\s+|\\n)per\\s+$', '^,'],
  [
    `\\bbeim\\s+(?:ausführen|aufrufen|aufruf|start|starten)\\s+von\\s+$`,
    `^${noAdvice}\\s+(?:trat|traten|kam|gab|ergab|erschien|zeigte)${end}`,
  ],
  ['', `^\\s+(?:tells|told|sagt|sagte)\\s+(?:me|us|mir|uns)${end}`],
  [`\\b${withName}$`, `^,?\\s+(?:I|we)(?:['’]ve)?\\s+(?:\\w+\\s+){0,2}?${found}${end}`],
  [
    `(?<![\\wäöüß])(?:${by}|durch\\s+(?:ausführen|aufrufen|aufruf)\\s+von|unter\\s+verwendung\\s+von)\\s+$`,
    `^\\s+(?:(?:habe|haben)\\s+(?:ich|wir)|wurden?)\\s+${words}(?:${checked})${end}`,
  ],
  [
    `\\b(?:prüfung|messung|abfrage|überprüfung|diagnose)\\s+(?:${by}|durch|von)\\s+$`,
    `^${noAdvice}\\s+(?:hat|ergab|zeigte|meldete|bestätigte|war|lieferte|schlug)${end}`,
  ],
  [
    `(?:^|[.!?:]\\s+|\\n)(?:running|calling|executing|invoking)\\s+${leadIn}$`,
    '^\\s*(?:\\.{3}|…|(?:now|first|next|again)\\b|[.:]?\\s*(?:$|\\n))',
  ],
  [
    `(?:^|[.!?]\\s+|\\n|\\b(?:the|das|die|der)\\s+)(?:outputs?|results?|response|ausgabe|ergebnis|antwort)\\s+(?:of|from|von)\\s+(?:the\\s+)?$`,
    `^(?:\\s*:\\s|\\s+lautete?${end})`,
  ],
  ['', `^\\s+(?:outputs?|results?|response|ausgabe|ergebnis)\\s*:\\s`],
  ['\\bnach\\s+(?:(?:der|dem)\\s+)?(?:ausführung|aufruf|start)\\s+von\\s+$', `^${noAdvice}\\s+(?:ist|sind|geht|läuft|funktioniert)${end}`],
  [
    '(?:^|[.!?]\\s+|\\n)(?:based\\s+on|basierend\\s+auf)\\s+(?:(?:the|der|dem)\\s+)?(?:(?:outputs?|results?|response|ausgabe|ergebnis(?:sen)?)\\s+(?:of|from|von)\\s+)?$',
    '^(?:,|\\s+(?:ist|sind|war|liegt|habe|haben))',
  ],
  [
    '',
    `^\\s+(?:returned|came\\s+back|responded|replied|reported|showed|confirmed|revealed|indicated|meldete|lieferte|zeigte|bestätigte|ergab)${end}(?!\\s+(?:by|in|from|when)\\b)`,
  ],
  ['', `^\\s+(?:says|shows|reports|indicates|confirms|zeigt|meldet|bestätigt)\\s*,?\\s+(?:that|dass)${end}`],
  ['', `^\\s+hat\\s+${words}(?:ergeben|gemeldet|gezeigt|bestätigt|geliefert)${end}`],
  ['\\bwie\\s+$', `^\\s+(?:gezeigt|bestätigt|gemeldet|ergeben)\\s+hat${end}`],
  ['\\b(?:wie|as)\\s+(?:(?:the|der|die|das)\\s+)?$', `^\\s+(?:${told})${end}`],
].map(([before = '', behind = '']) => [
  // backtracks: the text before a word is cut to its last characters
  new RegExp(before, 'i'),
  // backtracks: the text after a word is cut to its first characters
  new RegExp(behind, 'i'),
])
/** Such names are values that anything may be stated by. */
const valueStatus = /^(?:exit|http|return|response|order|payment|job|build)_status$/i

/** Whether the text claims that what it names was run or used, or is about to be, or denies it. */
export function claimOf({ name, before, after }: Pick<Mention, 'name' | 'before' | 'after'>): Claim | undefined {
  if (deniedBefore.test(before) || deniedBehind.test(after)) return 'denied'
  const said = english.exec(before)
  if (said && denied.test(said[0])) return 'denied'
  const isStated = said !== null && !supposed.test(before.slice(0, said.index)) && !wished.test(said[0].split(subject).at(-1) ?? '')
  const { called, past, present } = said?.groups ?? {}
  if (isStated && (called !== undefined || past !== undefined || (present !== undefined && notHabit.test(said[0])))) return 'ran'
  for (const [left, right] of around) {
    const verb = right.exec(after)
    const opening = verb && left.exec(before)
    if (!opening || supposed.test(before.slice(0, opening.index))) continue
    if (denied.test(opening[0]) || denied.test(verb[0])) return 'denied'
    return verb.groups?.ran === undefined ? 'used' : 'ran'
  }
  if (isStated) return 'used'
  const isSource =
    source.test(before) || sourceBehind.test(after) || outcomes.some(([left, right]) => right.test(after) && left.test(before))
  return isSource && !valueStatus.test(name) ? 'used' : undefined
}
