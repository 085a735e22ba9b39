// What the pictures of the documentation show: real commands, and the part of their output that fits.

/**
 * @typedef {object} Scene
 * @property {string} name The file, docs/pictures/NAME.svg.
 * @property {string} shown The command as a reader would type it.
 * @property {readonly string[]} args What Node runs, from the root of the repository.
 * @property {boolean} terminal Whether the program believes that it writes to a terminal, and so uses colours.
 * @property {readonly RegExp[]} [until] The line after which the rest is left out.
 */

/** @type {readonly Scene[]} */
export const scenes = [
  {
    name: 'demo',
    shown: 'npm run demo',
    args: ['examples/demo.mjs'],
    terminal: true,
    until: [/characters were never generated/],
  },
  {
    name: 'check',
    shown: `npx stickler check reply.md --check sensitive --check length='{"words": {"max": 10}}'`,
    args: [
      'packages/cli/bin/stickler.js',
      'check',
      'tools/pictures/reply.md',
      '--check',
      'sensitive',
      '--check',
      'length={"words": {"max": 10}}',
    ],
    terminal: true,
  },
  { name: 'partials', shown: 'npm run example partials', args: ['examples/run.mjs', 'partials'], terminal: false },
]
