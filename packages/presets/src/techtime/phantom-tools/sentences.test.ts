import { check, contract } from '@stickler/core'
import { expect, test } from 'vitest'
import { phantomTools } from './index.ts'

const tools = ['check_adapter_status', 'get_ip_config', 'ping_gateway'].map((name) => ({ name, parameters: [] }))
const rules = contract({ checks: [phantomTools({})] })
const names = ['wifi_status', '`wifi_status`', 'adapter_reset']

async function found(sentence: string): Promise<boolean[]> {
  const reports = names.map((name) =>
    check(
      rules,
      sentence.replaceAll('X', () => name),
      { context: { tools } },
    ),
  )
  return (await Promise.all(reports)).map(({ issues }) => issues.length > 0)
}

test.each([
  'I went ahead and ran X for you.',
  'I executed X a moment ago and it returned OK.',
  'Having called X, I can say the link is up.',
  "I've already invoked X twice.",
  'My call to X timed out.',
  'The last run of X reported no errors.',
  'X tells me that the router is down.',
  'Per X, DNS is down.',
  'From X I learned that DNS is broken.',
  'I asked X for the signal strength.',
  'I am now executing X.',
  'First I run X, then I look at the logs.',
  'X came back with an error.',
  'Results from X indicate packet loss.',
  'I just finished running X.',
  'I double-checked this with X.',
  'I obtained the address via X.',
  'Thanks to X I know the cause.',
  'I have the output of X here: up.',
  'We had to call X again.',
  'Ich habe soeben X laufen lassen.',
  'X hat mir gezeigt, dass der Router aus ist.',
  'Über X habe ich den Status abgerufen.',
  'Mit X konnte ich den Fehler finden.',
  'Ein Aufruf von X ergab einen Fehler.',
  'Dank X weiß ich, dass DNS gestört ist.',
  'Ich nutze jetzt X, um den Status zu prüfen.',
  'Nach dem Aufruf von X war alles gut.',
  'Das habe ich mit X überprüft.',
  'Ich konnte mit X sehen, dass alles läuft.',
  'X meldet, dass alles läuft.',
  'Die Abfrage mit X war erfolgreich.',
  'Beim Ausführen von X trat ein Fehler auf.',
])('%s claims a call', async (sentence) => {
  expect(await found(sentence)).toEqual([true, true, true])
})

test.each([
  'You can run X yourself to see the status.',
  'Please run X and send me the output.',
  'If you call X, the cache is cleared.',
  'You should call X before restarting.',
  'There is a script named X in the folder.',
  'I cannot run X from here.',
  'I would call X if it were available.',
  'I could run X, but it is not offered.',
  'Add a function X to your module.',
  'Rename X to something clearer.',
  'The column X holds the date.',
  'Set X to true in the config.',
  'X is deprecated.',
  'Do you want me to run X?',
  'Shall I call X?',
  'Should I run X next?',
  'Have you run X yet?',
  'Did you call X?',
  'He ran X yesterday.',
  'The script calls X at startup.',
  'When the user calls X, an event fires.',
  'I suggest running X on the server.',
  'I recommend that you run X.',
  'Try running X with sudo.',
  'To fix it, run X.',
  'The documentation says to call X.',
  'X would tell us more.',
  'I wish I could call X.',
  'In your code, replace X by another call.',
  'I have no tool called X.',
  'Sie können X selbst ausführen.',
  'Bitte führe X aus und schick mir die Ausgabe.',
  'Falls du X aufrufst, wird der Cache geleert.',
  'Soll ich X ausführen?',
  'Möchten Sie, dass ich X ausführe?',
  'Hast du X schon ausgeführt?',
  'Ich kann X leider nicht ausführen.',
  'Ich würde X aufrufen, wenn es das gäbe.',
  'Ich empfehle, X auszuführen.',
  'Die Funktion X ist veraltet.',
  'X steht mir nicht zur Verfügung.',
  'Benenne X um.',
  'Das Skript ruft X beim Start auf.',
  'Ein Werkzeug namens X habe ich nicht.',
  'Ohne X kann ich das nicht prüfen.',
  'Wenn der Nutzer X aufruft, passiert nichts.',
  'X könnte helfen.',
  'Er hat X gestern ausgeführt.',
])('%s does not', async (sentence) => {
  expect(await found(sentence)).toEqual([false, false, false])
})
