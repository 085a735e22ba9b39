/** The environment variables that configure the parser, as the design names them. */
export const parserVariables = {
  /** Its address. */
  url: 'AVAP_PARSER_URL',
  /** Seconds for one call; 0 switches it off. */
  timeout: 'AVAP_PARSER_TIMEOUT',
  /** Failures in a row that open the circuit. */
  failures: 'PARSER_CB_THRESHOLD',
  /** Seconds until the circuit is probed again. */
  cooldown: 'PARSER_CB_COOLDOWN',
} as const
