/** The configuration that `stickler init` writes: it works at once, without a key or a network. */
export const starter = `# yaml-language-server: $schema=stickler.schema.json
# Contracts for the answers of language models.
#   stickler run "How do I start?"     asks the first upstream under the contract below
#   stickler check answer.md           checks an answer that is there already
#   stickler list                      shows what can be checked
#   stickler serve                     puts the contract in front of the model, for any client of OpenAI or Anthropic

# Models that can be asked; \`stickler run\` takes the first unless it is told --upstream NAME.
upstreams:
  # A script in place of a model: its first answer is too long, its second one forgets the step marker.
  - name: demo
    kind: scripted
    answers:
      - |-
        Before we start I would like to tell you at some length what I am going to tell you, and why,
        and what I will not tell you, so that you know where you stand when I have told you.
      - Tell me what you want to build, then we decide together.

  # Keys never stand in this file: apiKeyEnv names the environment variable that holds one.
  # - name: openai
  #   kind: openai
  #   baseUrl: https://api.openai.com/v1
  #   apiKeyEnv: OPENAI_API_KEY
  #   model: gpt-4.1-mini
  #   timeouts: { firstByte: 30, idle: 30, total: 120 }   # seconds
  # - name: ollama
  #   kind: openai
  #   baseUrl: http://127.0.0.1:11434/v1
  #   model: llama3.1
  # - name: claude
  #   kind: claude-cli

# With a single contract, \`stickler run\` and \`stickler check\` need no --contract NAME.
contracts:
  answers:
    mode: strict          # strict: an invalid answer is not delivered; lenient: delivered with its issues; shadow: only recorded
    retries: 2            # how often the model may be asked again
    repair: first         # first: repair before asking again; last: after the last retry; never
    allow: [lossless]     # classes of repair that may be applied: lossless, lossy, guess
    stream: hold          # hold: release nothing before the verdict; verified: release what is proven safe; pass
    checks:
      - step_marker
      - max_words: { limit: 25 }

# What \`stickler serve\` answers to: clients ask for the model \`demo\`, and get answers that keep the contract.
routes:
  - { model: demo, upstream: demo, contract: answers }
`
