import type { Command } from 'commander'
import { formatFinding } from '#app/shared/server/doctor/finding.ts'
import { examine } from '#server/doctor/examine.ts'

async function doctor() {
  const findings = await examine(undefined, '.env')
  for (const finding of findings) console.log(formatFinding(finding))
  const wrong = findings.filter(({ state }) => state === 'wrong').length
  console.log(wrong === 0 ? 'Nothing is wrong.' : `Wrong: ${wrong}.`)
  if (wrong > 0) process.exitCode = 1
}

export function addDoctorCommand(program: Command) {
  program
    .command('doctor')
    .description('look over settings, database, disk, clock and payments, and say what to do')
    .action(doctor)
}
