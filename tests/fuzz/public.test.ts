import { declared } from '#tests/support/declared.ts'
import { fuzz } from './fuzz.ts'

fuzz(declared.filter(([, { access }]) => access === 'public'))
