import type { Locale } from '../../contract/locale.ts'

/** The words of one language; each is the source of a regular expression without regard to case. */
interface Phrases {
  /** Agrees before the answer begins; alone it may be the answer. */
  readonly opener: string
  /** A sentence that promises help or excuses an earlier answer, without its last mark. */
  readonly promise: string
  /** Begins the sentence that announces what follows. */
  readonly intro: string
  /** Names the answer itself, unlike a caption of a part of it. */
  readonly itself: string
  /** What follows an opener that is not an answer by itself. */
  readonly lead: string
  /** A sentence that says no, as far as that is certain. */
  readonly refusal: string
  /** What speaks of the model instead of the matter. */
  readonly model: string
  /** Begins a sentence that offers more. */
  readonly offer: string
  /** How openings and offers begin, in lower case and parted by bars: a stream holds nothing else. */
  readonly openingStarts: string
  readonly offerStarts: string
}

const aiName = '(?:AI(?: language)?(?: model| assistant| chatbot| system)?|artificial intelligence|(?:large )?language model)'
const cannot =
  "I(?:['’]m| am)? (?:really |simply )?(?:cannot|can['’]?t|can not|(?:unable|not able|not allowed|not permitted|not programmed) to|(?:will not|won['’]t)(?: be able to)?)"
/** What a model offers to do, in German. */
const work =
  '(?:zusammenfassen|ausarbeiten|formulieren|umformulieren|übersetzen|erstellen|überarbeiten|erläutern|erklären|ergänzen|schreiben|auflisten|vorbereiten|zeigen)(?![\\p{L}])'
/** An answer with a limit: what follows is the answer, and not another offer. */
const butAnswers =
  '(?![^.!?:\\n\\r]{0,120}[,;] (?:but|however,?|aber|doch|jedoch) (?!I\\b|if\\b|please\\b|you\\b|feel\\b|let\\b|we\\b|here\\b|ich\\b|wenn\\b|falls\\b|bitte\\b|gerne?\\b|du\\b|sie\\b|hier\\b))'
const sorry = '(?:(?:es )?tut mir (?:sehr )?leid|entschuldigung|leider)[,.]? (?:aber |doch |dass )?'
const service =
  '(?:(?:weiter)?helfen|behilflich sein|unterstützen|beantworten|erfüllen|nachkommen|entsprechen|bereitstellen|erstellen|generieren|geben|erteilen|liefern|anbieten|schreiben|verfassen|ausführen|durchführen|zugreifen|tun)(?![\\p{L}])'
const deed =
  '(?:\\w+ly )?(?:assist|help(?! (?:but|it|myself)\\b| \\p{L}+ing\\b)|provide|fulfil|comply|create|generate|write|answer|support|engage|discuss|participate|offer|produce|process|access|browse|share|recommend (?:any|a|an|specific|particular|illegal)\\b|predict|promote|encourage|condone|do (?:that|this|so)|give you|(?:run|execute) (?:any|code|commands?|programs?|scripts?|this|that|it|(?:the|your) (?:code|program|script))\\b|draw|set up)'
const ask =
  "(?:let me know|feel free to (?:ask|reach|contact|let|share|message|get)|(?:don['’]t|do not) hesitate|just (?:ask|let|say)|I(?:['’]m| am|['’]d| would|['’]ll| will)(?: always)? (?:be )?(?:happy|glad|here|more than happy))"

/** What boilerplate says, by language; all of them are looked for, since an answer may be in another language than its contract. */
export const phrases: Readonly<Record<Locale, Phrases>> = {
  en: {
    opener:
      'sure(?: thing)?|certainly|of course|absolutely|definitely|okay|ok|alright|all right|got it|no problem|understood|(?:great|good|excellent) question',
    promise: [
      "(?:I(?:['’]d| would|['’]ll| will|['’]m| am) )?(?:be )?(?:more than |very |so )?(?:happy|glad|delighted|excited) to (?:help|assist|be|provide|create|explain|share)[^.!?:\\n\\r]{0,100}",
      'I can (?:certainly |definitely |surely )?(?:help|assist)(?: you)?(?: with (?:that|this|it|your)[^.!?:\\n\\r]{0,60})?',
      "(?:I apologi[sz]e|I['’]m sorry|(?:my )?apologies|sorry) for (?:(?:the|any|my) (?:\\w+ )?(?:confusion|misunderstanding|oversight)|misunderstanding your (?:request|question)|[^.!?:\\n\\r]{0,80}\\b(?:my|the) (?:previous|earlier|last) (?:response|answer|message|reply))[^.!?:\\n\\r]{0,60}",
    ].join('|'),
    intro: "here(?:['’]s| is| are| you go| you are| it is)",
    itself: '(?:answer|response|reply|result|output|summary|translation|draft|rewrite|version|requested|you (?:asked|requested|wanted))',
    lead: "here(?:['’]s| is| are)|below (?:is|are)|let['’]s|let me|I(?:['’]ll| will) (?:do my best|help|provide|explain|create|write|walk|be)|I['’]d be|I would be",
    refusal: [
      `(?:(?:I(?:['’]m| am)(?: (?:really|very|so|truly))? (?:sorry|afraid)|sorry|I apologi[sz]e|(?:my )?apologies|unfortunately|regrettably)[,.]? (?:but )?(?:that )?)?(?:as an? ${aiName},? )?${cannot} ${deed}${butAnswers}`,
      "it(?:['’]s| is) not (?:appropriate|ethical|possible) for me to",
      "(?:I(?:['’]m| am) sorry,? but )?I must (?:respectfully )?(?:decline|refuse)",
    ].join('|'),
    model: [
      `as an? ${aiName}(?: (?:developed|created|trained|made) by [\\p{L}]+)?(?:,| (?:I|my))(?= )`,
      `I(?:['’]m| am) (?:just |only |merely |simply |actually )?an? ${aiName}(?=[,.;:!?)]| (?:and|so|but|that|which|without|designed|created|trained|developed|by|not)\\b)`,
      'my (?:last |latest )?(?:knowledge|training)(?: data)? (?:cut-?off|update)',
    ].join('|'),
    offer: [
      '(?:please |so |just |but )?let me know (?:if|what|how|which|when|whether|should|in case)\\b(?! (?:that|this|it|my|the)\\b[^.!?]{0,60}\\b(?:correct|right|accurate|interpretation|understanding|assumption|meant))',
      "(?:please |and )?(?:feel free to|(?:don['’]t|do not) hesitate to) (?:ask|reach out|contact|let me|share (?:your|any)|message|get in touch)",
      `(?:and |but |also,? |however,? |please )?(?:if|should) you(?:['’]d| would)? (?:still )?(?:have|need|require|like|want|encounter|run into|prefer)[^.!?\\n\\r]{0,160}\\b${ask}`,
      `(?:have |got )?(?:any )?(?:other |further |more )?questions\\? ${ask}`,
      'would you like (?:me to|to (?:know|learn|see|explore|continue|hear)|more|another|any|a (?:more|different|deeper))|do you want me to',
      '(?:shall|should) I (?:also |now |then )?(?:explain|write|draft|create|generate|summari[sz]e|add|show|list|translate|prepare|rewrite|expand|outline|put together|look)\\b[^.!?\\n\\r]{0,120}\\bfor you(?! to\\b)',
      'is there anything (?:else|specific|in particular)|(?:do you have|have you got) any (?:other|further|more) questions',
      '(?:I )?hope (?:this|that|it|these|the)(?: \\w+){0,3} (?:helps?|is helpful|are helpful|was helpful|answers? your|clarif|meets? your|gives? you)',
      "I(?:['’]m| am) (?:always )?(?:here|happy|glad|available) (?:to (?:help|assist|answer|guide)|if you|for you)",
    ].join('|'),
    openingStarts:
      "sure|certainly|of course|absolutely|definitely|okay|ok|alright|all right|got it|no problem|understood|great question|good question|excellent question|here's|here is|here are|here you|here it|i'd be|i would be|i'll be|i will be|i'm|i am|i can|happy to|glad to|delighted to|excited to|i apologi|my apologies|apologies|sorry|unfortunately|regrettably|as a|it's not|it is not|i must|i won't|i will not|i really|i simply|more than happy|more than glad|very happy|so happy|be happy",
    offerStarts:
      "let me know|please let me|so let me|just let me|but let me|feel free to|please feel|and feel|don't hesitate|do not hesitate|please don't|please do not|and don't|if you|should you|and if you|but if you|also if you|also, if you|however, if you|however if you|please if you|would you like|do you want me|shall i|should i|is there anything|do you have any|have you got any|i hope|hope |i'm here|i am here|i'm happy|i am happy|i'm glad|i am glad|i'm always|i am always|i'm available|i am available|any |questions|other |further |more |question",
  },
  de: {
    opener:
      'klar|natürlich|selbstverständlich|(?:sehr |aber )?gern(?:e)?|aber (?:natürlich|klar)|sicher|verstanden|kein problem|gute frage|alles klar',
    promise: [
      'ich helfe (?:dir|ihnen|euch)? ?(?:sehr |dabei |damit )?gern(?:e)?[^.!?:\\n\\r]{0,60}',
      '(?:dabei|damit) (?:kann|helfe) ich (?:dir|ihnen|euch)? ?(?:gern(?:e)? )?(?:helfen)?',
      'ich (?:entschuldige mich|bitte um entschuldigung) für (?:die (?:verwirrung|unklarheit)|das missverständnis|(?:den fehler|die fehler) in meiner (?:vorherigen|letzten) antwort)[^.!?:\\n\\r]{0,60}',
      '(?:entschuldige|entschuldigung|entschuldigen sie) (?:bitte )?(?:für )?(?:die verwirrung|das missverständnis)[^.!?:\\n\\r]{0,60}',
    ].join('|'),
    intro:
      'hier (?:ist|sind|kommt|kommen|folgt|folgen|findest du|finden sie|hast du)|(?:unten|nachfolgend|im folgenden) (?:ist|sind|findest|finden)',
    itself: '(?:Antwort|Ergebnis|Zusammenfassung|Übersetzung|Entwurf|Fassung|Version|gewünschte[nrs]?|angeforderte[nrs]?)',
    lead: 'hier (?:ist|sind|kommt|kommen|folgt|findest|finden)|lass uns|ich (?:helfe|erkläre|erstelle|schreibe|zeige)',
    refusal: [
      `${sorry}(?:als [^,\\n\\r]{0,40},? )?(?:(?:[\\p{L}]+ ){0,3}(?:kann|darf|werde) ich|ich (?:kann|darf|werde)) [^.!?:\\n\\r]{0,80}\\b(?:nicht|kein(?:e[nrms]?)?) (?:[^.!?:\\n\\r]{0,80} )?${service}${butAnswers}`,
      `(?:ich (?:kann|darf|werde)|(?:das|dies|dabei|dazu|darauf|hierzu|diese (?:an)?frage) (?:kann|darf|werde) ich) (?:[\\p{L}]+ ){0,6}(?:nicht |keine? (?:auskunft|auskünfte|hilfe|antwort|anleitung(?:en)?|ratschläge|informationen) (?:[\\p{L}]+ ){0,3})${service}${butAnswers}`,
    ].join('|'),
    model: [
      'als (?:eine? )?(?:KI(?:-(?:Sprachmodell|Modell|Assistent(?:in)?))?|künstliche Intelligenz|(?:großes )?Sprachmodell)(?:,| (?:kann|habe|bin|darf|verfüge|besitze|weiß))(?= )',
      'ich bin (?:nur |lediglich |bloß )?(?:eine KI|ein (?:KI-|großes )?(?:Sprachmodell|KI-Modell|KI-Assistent))(?=[,.;:!?)]| (?:und|ohne|von)(?![\\p{L}]))',
      'mein(?:em|es|en|er)? (?:letzten |letzter )?(?:Wissensstand|Wissensstands|Wissensstichtag|Trainingsdaten)(?![\\p{L}])',
    ].join('|'),
    offer: [
      '(?:bitte |und )?(?:lass(?:t)? (?:es )?mich (?:gern(?:e)? )?wissen|lassen sie (?:es )?mich (?:gern(?:e)? )?wissen|sag(?:en sie)? (?:mir )?(?:gern(?:e)? |einfach )?bescheid|gib(?: mir)? (?:gern(?:e)? |einfach )?bescheid|geben sie mir (?:gern(?:e)? )?bescheid)',
      'melde? dich (?:gern|jederzeit|einfach)|melden sie sich (?:gern|jederzeit|einfach)|(?:frag|fragen sie) (?:gern|einfach|jederzeit)|zöger(?:e|n sie) nicht',
      '(?:wenn|falls|sollten|solltest) (?:du|sie|ihr)[^.!?\\n\\r]{0,160}(?:bescheid|lass(?:t|en sie)? (?:es )?mich wissen|melde|zur verfügung|zöger|helfe ich|frag (?:gern|einfach)|stehe ich|kannst du (?:gern|jederzeit))',
      'möchte(?:st du|n sie|t ihr)[^.!?\\n\\r]{0,20},? dass ich|(?:willst du|wollen sie), dass ich|kann ich (?:dir |ihnen |euch )?(?:sonst|noch)[^.!?\\n\\r]{0,60}(?:helfen|behilflich sein|für (?:dich|sie|euch) tun)',
      `soll ich (?:[^.!?\\n\\r]{0,80} )?(?:für (?:dich|sie|euch) [^.!?\\n\\r]{0,80}${work}|(?:dir|ihnen|euch) (?:das|dies|dazu|noch|auch|ein|eine|einen|weitere|mehr) [^.!?\\n\\r]{0,80}${work})`,
      '(?:ich )?hoffe?,? (?:das|dies|diese)[^.!?\\n\\r]{0,40} hilf(?:t|reich)',
    ].join('|'),
    openingStarts:
      'klar|natürlich|selbstverständlich|sehr gern|aber gern|aber natürlich|aber klar|gern|sicher|verstanden|kein problem|gute frage|alles klar|hier |ich helfe|ich entschuldige|ich bitte|ich kann|ich darf|ich werde|dabei |damit |entschuldig|unten |nachfolgend|im folgenden|es tut|tut mir|leider|das kann|das darf|das werde|dies kann|dies darf|dies werde|dazu |darauf |hierzu |diese frage|diese anfrage',
    offerStarts:
      'lass|bitte lass|und lass|sag|bitte sag|gib|geben sie|bitte gib|bitte geben|melde|bitte melde|frag|zöger|wenn du|wenn sie|wenn ihr|falls du|falls sie|falls ihr|sollten sie|solltest du|solltet ihr|möchte|soll ich|willst du|wollen sie|kann ich|ich hoffe|hoffe',
  },
}

/** One part of the phrases of all languages, as alternatives. */
export function anyOf(part: keyof Phrases): string {
  return Object.values(phrases)
    .map((one) => one[part])
    .join('|')
}

/** How many characters decide whether a sentence may begin like that. */
const longestStart = 24

/** How sentences begin, by their first character. */
export type Starts = ReadonlyMap<string, readonly string[]>

/** The starts of all languages. */
export function startsOf(part: 'openingStarts' | 'offerStarts'): Starts {
  const starts = anyOf(part).split('|')
  return new Map(starts.map(({ 0: first = '' }) => [first, starts.filter((start) => start.startsWith(first))]))
}

/** Whether a text begins with one of these starts from an offset on, or may once it goes on. */
export function mayStart(text: string, starts: Starts, from = 0): boolean {
  if (from >= text.length) return true
  const known = starts.get(text.charAt(from).toLowerCase().charAt(0))
  if (known === undefined) return false
  const head = text
    .slice(from, from + longestStart)
    .toLowerCase()
    .replaceAll('’', "'")
  return known.some((start) => start.startsWith(head) || head.startsWith(start))
}
