// The API reference: copies examples, shows the URL of this service in them, and closes the list of contents.
for (const element of document.querySelectorAll('.service-url')) element.textContent = location.origin

async function copyCode(button) {
  const code = button.previousElementSibling
  try {
    await navigator.clipboard.writeText(code.textContent)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  } catch {
    // Browsers deny access to the clipboard without HTTPS, so the code is selected instead.
    getSelection().selectAllChildren(code)
  }
}

for (const button of document.querySelectorAll('.copy')) {
  button.hidden = false
  button.addEventListener('click', () => copyCode(button))
}

const contents = document.querySelector('#contents')
contents.addEventListener('click', ({ target }) => {
  if (target.closest('a') && contents.matches(':popover-open')) contents.hidePopover()
})
