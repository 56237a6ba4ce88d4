// Before the first paint: the theme that was chosen here, if one was.
try {
  const theme = localStorage.getItem('assay.theme')
  if (theme) document.documentElement.dataset.theme = theme
} catch {}
