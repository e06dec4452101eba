/**
 * Runs in the head of every page, for the account menu before hydration. A page is the same bytes for every
 * visitor, so the style sheet shows guests and users their own menu, by `data-signed-in` and `--user-name`
 * on the root. Sent as its source text, so it uses nothing from outside.
 */
export function signedInScript() {
  try {
    const { token, user } = JSON.parse(localStorage.getItem('auth') ?? '{}')
    const { dataset, style } = document.documentElement
    const name = String(user.name).replace(/["\\]/g, '\\$&').replace(/\s/g, ' ')
    if (token) dataset.signedIn = ''
    style.setProperty('--user-name', `"${name}"`)
  } catch {
    // no session that can be read
  }
}
