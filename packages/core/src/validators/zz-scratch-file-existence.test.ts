import { closest } from '/work/main/packages/core/src/contract/closest.ts'
const words='alpha beta gamma delta store reader writer index main user session token parse engine file'.split(' ')
let r=7; const rnd=n=>(r=(r*1103515245+12345)%2147483648)%n
const names=new Set(); while(names.size<20000) names.add(`${words[rnd(15)]}-${words[rnd(15)]}${rnd(1000)}.ts`)
const list=[...names]
for (const w of ['alpha-beat12.ts','zzzzqqqq-xxxyyy.ts','sesion-tokn999.ts','a'.repeat(200)]){let t=performance.now();const x=closest(w,list);console.log(w.slice(0,20),x,performance.now()-t)}
const paths=list.map(n=>`src/helix/${words[rnd(15)]}/${words[rnd(15)]}/${n}`)
for (const w of ['src/helix/alpha/beta/alpha-beat12.ts','zzzzqqqq-xxxyyy.ts/fsdfjskdjfslkdjfklsdjf']){let t=performance.now();const x=closest(w,paths);console.log(w,x,performance.now()-t)}
import {it} from 'vitest'
it('x',()=>{})
