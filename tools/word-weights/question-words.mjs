/**
 * Words that say how something is asked, and not about what. The texts that are counted hold few questions and hardly address anybody,
 * so that these would pass for rare; they count as words of every second passage.
 */
export const questionWords = `
what who whom whose which where when why how do does did done can could should would may might must shall will has have had is are was were
be been am i you we they he she it me us my your our their his her there any many much often long far please
wer wen wem wessen was welche welcher welches welchen welchem wo wann warum weshalb wieso wie woher wohin wozu wofür womit wodurch
ist sind bin war waren wird werden wurde wurden kann kannst können könnte soll sollte muss müssen darf dürfen hat habe haben hatte hatten
ich du er sie es wir ihr mich mir dich dir uns euch ihn ihm ihnen man mein meine dein deine sein seine unser unsere gibt lange viel viele oft bitte`
