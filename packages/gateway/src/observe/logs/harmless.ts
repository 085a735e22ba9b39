/**
 * Characters without which no pattern of a secret but a key can match, which JSON does not escape
 * and no terminal acts on.
 */
const plain = new Uint8Array(128)
for (let code = 0x21; code < 0x7f; code++) plain[code] = '"\\=:@?'.includes(String.fromCharCode(code)) ? 0 : 1

/** How keys and web tokens begin. */
const keyStart = /\b(?:(?:sk|pk|rk|gsk|xai|hf|ghp|gho|ghs|glpat|xox[abps])[-_]|AKIA|AIza|ya29\.|eyJ)/

/** The shortest key is two letters, a hyphen and eight characters. */
const shortestKey = 11

/**
 * Whether a text can be written unchanged: nothing needs escaping, and nothing looks like a secret;
 * cheap for names and ids.
 */
export function isHarmless(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    // Values outside the table count as 0.
    if (plain[text.charCodeAt(index)] !== 1) return false
  }
  return text.length < shortestKey || !keyStart.test(text)
}
