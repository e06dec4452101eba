/** The tests beside the rules: each mutant runs those that reach it, so whole stories would take hours. */
import { mergeConfig } from 'vitest/config'
import config from './vitest.config.ts'

export default mergeConfig(config, { test: { exclude: ['tests/**'] } })
