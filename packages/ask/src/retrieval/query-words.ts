/** Longer than any real query: only the start of a longer text is read. */
const longest = 4000

/** Stop words in English, German and Spanish. */
const empty = new Set(
  (
    'a an the and or but so if then than of in on at to for from by with without about as into over is are was were be been being am do does did doing done can could will would should shall may might must have has had having ' +
    'i you he she we they me him us them my your his her our their its it this that these those there here who whom what which when where why how not no yes please just also too very more most less some any all each both few ' +
    'tell show give explain describe want need know like get use used using work works way thing things example mean means meant meaning vs versus via between difference differences happen happens inside same other another again still ' +
    'der die das den dem des ein eine einen einem einer eines und oder aber auch wenn dann als von im in am an auf zu zum zur fur bei mit ohne uber wie was wer wo wann warum wieso welche welcher welches welchen ist sind war waren sein bin bist hat habe haben hatte kann kannst konnen wird werden wurde soll sollte muss mussen darf ' +
    'ich du er sie es wir ihr mich dich uns mir dir ihm mein dein unser dies diese dieser dieses diesem diesen jene da hier nicht kein keine bitte nur noch mal sehr mehr man sich so doch dabei damit dafur davon dazu darin funktioniert geht gibt macht zeig erklar erklare bedeutet gemeint bedeutung zwischen unterschied ' +
    'el la los las un una unos unas y o pero si de del en al a para por con sin sobre como que quien cual cuando donde porque es son era ser estar esta estan fue ha han hay puede puedo puedes pueden debe ' +
    'yo tu usted ella nosotros ellos me te se nos lo le les mi su nuestro este esta esto ese esa eso estos estas aquello ello no favor solo muy mas menos hacer hace funciona tal significa entre diferencia'
  ).split(' '),
)

/** A word as written, and as compared: in lower case, without accents. */
export interface QueryWord {
  readonly written: string
  readonly plain: string
  /** Whether it describes the subject of the query. */
  readonly isContent: boolean
}

/** The words of a text, identifiers in one piece. */
export function queryWords(text: string): readonly QueryWord[] {
  return (text.slice(0, longest).match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []).map((written) => {
    const plain = written.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')
    return { written, plain, isContent: plain.length > 1 && !empty.has(plain) }
  })
}

/** Each text once, in its first position; case-insensitive. */
export function distinct(texts: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  return texts.filter((text) => {
    const key = text.toLowerCase()
    return !seen.has(key) && seen.add(key)
  })
}
