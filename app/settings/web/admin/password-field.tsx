import { Field } from '#app/back-office/kit/fields.tsx'

type Props = {
  /** The reason why the password is needed, as a sentence. */
  why: string
  required?: boolean
}

/** The password of the admin who changes where money or e-mails go. */
export const PasswordField = ({ why, required = false }: Props) => (
  <Field
    label="Your password"
    name="password"
    type="password"
    required={required}
    autoComplete="current-password"
    hint={`${why} Every admin gets an e-mail about the change.`}
  />
)

/** The password of a page whose form has other settings, too. */
export const PasswordCard = () => (
  <PasswordField why="Needed where you change which way to pay is offered, its name or its instructions: they decide where money goes." />
)
