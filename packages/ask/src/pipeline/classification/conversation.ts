const small = new Set(
  (
    'hi hello hey hiya yo there good morning afternoon evening night day greetings thanks thank thx ty cheers you u very so much many a lot bye goodbye see ya later ok okay k great nice cool perfect awesome excellent amazing wonderful ' +
    'yes yeah yep no nope sure alright fine right please welcome everyone all team again for your the help answer this that was is it s helpful useful works worked now got sorry haha lol wow well done job and to meet re m ll ve nice weekend have take care later ' +
    'hallo guten gute tag morgen abend nacht servus moin gruss grusse danke dankeschon schon sehr vielen dank dir ihnen euch tschuss ciao auf wiedersehen bis bald dann ja nein gut super prima toll klasse alles klar fur deine ihre die hilfe antwort das war hilfreich entschuldigung freut mich wunderbar passt schonen schones noch wochenende ' +
    'hola buenos buenas dias tardes noches gracias muchas mil adios hasta luego pronto si vale perfecto genial bien muy por tu su la ayuda respuesta eso es de nada estupendo claro entendido'
  ).split(' '),
)
const markers = new Set(
  (
    'hi hello hey hiya yo morning afternoon evening night weekend greetings thanks thank thx ty cheers bye goodbye ok okay k great nice cool perfect awesome excellent amazing wonderful yes yeah yep no nope sure alright fine welcome sorry haha lol wow helpful ' +
    'hallo tag morgen abend nacht wochenende servus moin gruss grusse danke dankeschon dank tschuss ciao wiedersehen ja nein super prima toll klasse hilfreich entschuldigung wunderbar passt ' +
    'hola buenos buenas gracias adios luego si vale perfecto genial estupendo claro entendido'
  ).split(' '),
)
const mostWords = 12

const aboutAssistant =
  /^(?:and |und |y )?(?:how are you(?: doing)?(?: today)?|how s it going|what s up|who are you|what are you|what can you do(?: for me)?|what s your name|what is your name|are you (?:a bot|a human|real|an ai|there)|who (?:made|built|created|trained|wrote) you|tell me a joke|nice to meet you|how do you do|how old are you|where are you from|do you (?:speak|understand) \w+|never mind|forget it|vergiss es|schon gut|egal|olvidalo|no importa|wie alt bist du|woher kommst du|sprichst du \w+|cuantos anos tienes|hablas \w+|wie geht s(?: dir| ihnen)?|wie geht es(?: dir| ihnen)?|wer bist du|wer sind sie|was kannst du(?: alles)?|was bist du|wie heisst du|erzahle? mir einen witz|bist du (?:ein bot|ein mensch)|que tal(?: estas)?|como estas?|como te llamas|quien eres|que eres|que puedes hacer|cuentame un chiste)$/

const said =
  '(?:answer|reply|response|message|question|explanation|antwort|nachricht|frage|erklarung|respuesta|mensaje|pregunta|explicacion)'
const talk = '(?:conversation|chat|discussion|dialogue|unterhaltung|gesprach|konversation|conversacion|charla)'
const again =
  '(?:repeat|rephrase|reword|summari[sz]e|shorten|translate|explain|simplify|rewrite|say|wiederhole?|wiederholen|formuliere?|fasse?|kurze|ubersetze?|erklare?|vereinfache|repite|repetir|resume|resumir|reformula|acorta|traduce|explica|simplifica)'

const restates = new RegExp(`\\b${again}\\b`)
const whatWasSaid = new RegExp(
  `^(?: \\w+)? (?:your|my|our|the|dein\\w{0,2}|mein\\w{0,2}|unser\\w{0,2}|die|das|tu|mi|nuestra|la|el|this|esta|diese[sn]?)(?: (?:last|previous|first|earlier|whole|letzten?|vorige|vorherige|erste|ganze|ultima|anterior|primera))? (?:${said}|${talk})\\b`,
)
const aboutConversation = [
  /\bwhat (?:did|have) (?:i|you) (?:just )?(?:ask|asked|say|said|mean|write|tell)\b/,
  /\bwhat was my (?:last|first|previous) (?:question|message)\b/,
  /\bwas (?:habe ich|hast du|haben sie) (?:dich |dir |mich |mir |gerade |eben |zuletzt ){0,3}(?:gefragt|gesagt|gemeint|geschrieben)\b/,
  /\bque (?:te )?(?:pregunte|dije|he dicho|has dicho|dijiste|respondiste|acabo de (?:preguntar|decir))\b/,
  new RegExp(
    `^(?:can you |could you |please |kannst du |bitte |puedes |por favor )*(?:${again}|say) (?:that|it|this|das|es|eso|esto|lo|me that)?(?: (?:again|please|noch ?mal|bitte|otra vez|more simply|in simpler (?:words|terms)|in other words|differently|einfacher|kurzer|in anderen worten|mas simple|de nuevo|con otras palabras|to (?:german|english|spanish)|auf (?:deutsch|englisch|spanisch)|al (?:ingles|espanol|aleman)))*$`,
  ),
  /^(?:kannst du|konnen sie|konntest du|konnten sie)(?: mir)? (?:das|es|deine (?:letzte )?antwort)(?: \w+)?(?: \w+)? (?:wiederholen|erklaren|zusammenfassen|umformulieren|ubersetzen|vereinfachen|kurzen)$/,
  /^(?:i (?:do not|don t|did not|didn t) (?:understand|get)(?: that| it| this)?|what do you mean(?: by that)?|(?:please )?(?:make (?:it|that|this) |a bit |bitte )?(?:shorter|simpler|longer|kurzer|langer|einfacher)(?: please| bitte)?|ich verstehe (?:das )?nicht|was meinst du(?: damit)?|no (?:lo )?entiendo|que quieres decir(?: con eso)?|mas (?:corto|simple)(?: por favor)?)$/,
]

/** Whether a message is small talk, or is about the conversation itself. */
export function isConversation(clauses: readonly string[]): boolean {
  const words = clauses.flatMap((clause) => clause.split(' '))
  if (words.length === 0) return false
  const isTalk = (clause: string): boolean => aboutAssistant.test(clause) || clause.split(' ').every((word) => small.has(word))
  const hasMarker = words.some((word) => markers.has(word)) || clauses.some((clause) => aboutAssistant.test(clause))
  if (words.length <= mostWords && hasMarker && clauses.every(isTalk)) return true
  const rest = clauses.filter((clause) => !isTalk(clause))
  return rest.length > 0 && rest.every(isAboutConversation)
}

function isAboutConversation(clause: string): boolean {
  const verb = restates.exec(clause)
  const rest = verb === null ? '' : clause.slice(verb.index + verb[0].length)
  return whatWasSaid.test(rest) || aboutConversation.some((pattern) => pattern.test(clause))
}
