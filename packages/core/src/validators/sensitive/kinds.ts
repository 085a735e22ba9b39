import type { Detector } from './detector.ts'
import { emailDetector } from './email.ts'
import { jwtDetector, keyDetector } from './keys.ts'
import { cardDetector, ibanDetector, phoneDetector, ssnDetector } from './numbers.ts'
import { privateKeyDetector } from './private-key.ts'

/** The kinds of sensitive text. */
export const sensitiveKinds = ['email', 'phone', 'card', 'iban', 'ssn', 'api_key', 'jwt', 'private_key'] as const

/** One of `email`, `phone`, `card`, `iban`, `ssn`, `api_key`, `jwt`, `private_key`. */
export type SensitiveKind = (typeof sensitiveKinds)[number]

/** How each kind is found. */
export const detectors: Readonly<Record<SensitiveKind, Detector>> = {
  email: emailDetector,
  phone: phoneDetector,
  card: cardDetector,
  iban: ibanDetector,
  ssn: ssnDetector,
  api_key: keyDetector,
  jwt: jwtDetector,
  private_key: privateKeyDetector,
}

/** The placeholder of each kind. */
export const placeholders: Readonly<Record<SensitiveKind, string>> = {
  email: '[EMAIL]',
  phone: '[PHONE]',
  card: '[CARD]',
  iban: '[IBAN]',
  ssn: '[SSN]',
  api_key: '[API KEY]',
  jwt: '[JWT]',
  private_key: '[PRIVATE KEY]',
}
