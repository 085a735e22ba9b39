/** What is written in place of a secret. */
export const mask = '[redacted]'

/** What looks like a secret, also right behind the escape of a line break: keys of providers, web tokens, what follows `Bearer`, credentials and queries of addresses, and named keys; the first group stays. */
const patterns: readonly RegExp[] = [
  // backtracks: from one start it reads at most 512 characters, and takes them
  /(?:\b|(?<=\\[bfnrt]))()(?:sk|pk|rk|gsk|xai|hf|ghp|gho|ghs|glpat|xox[abps])[-_][-_.A-Za-z0-9]{8,512}/g,
  /(?:\b|(?<=\\[bfnrt]))()(?:AKIA|AIza|ya29\.)[-_A-Za-z0-9]{12,512}/g,
  // backtracks: from one start it reads at most 2048 characters in vain
  /(?:\b|(?<=\\[bfnrt]))()eyJ[-_A-Za-z0-9]{8,2048}\.[-_A-Za-z0-9.]{8,4096}/g,
  // backtracks: from one start it reads the word and 4 characters in vain
  /(?:\b|(?<=\\[bfnrt]))(Bearer[ =:]{1,4})[-_.~+/=A-Za-z0-9]{6,4096}/gi,
  // backtracks: from one start it reads the word and 16 characters in vain
  /(?:\b|(?<=\\[bfnrt]))(Basic[ =:]{1,4})[+/=A-Za-z0-9]{12,4096}/gi,
  // backtracks: from one start it reads at most 512 characters in vain
  /(:\/\/)[^\s"/@]{1,512}(?=@)/g,
  /(\?)[-_.~%A-Za-z0-9]{1,64}=[^\s"\\]{0,4096}/g,
  // backtracks: from one start it reads a name and 40 characters in vain
  /(?:(?<![A-Za-z0-9])|(?<=\\[bfnrt]))((?:api[-_]?key|access[-_]?token|secret|password|passwd|authorization|token)(?:\\{0,3}["'])? ?[=:] ?(?:\\{1,3}(?:[bfnrt]|u[0-9a-f]{4})){0,8}(?:\\{0,3}["'])?)[^\s"'&,;}\\]{4,4096}/gi,
]

/** Masks what looks like a secret in a text: in logs, and in what a process says on its error stream. */
export function maskSecretShapes(text: string): string {
  return patterns.reduce((rest, pattern) => rest.replace(pattern, `$1${mask}`), text)
}
