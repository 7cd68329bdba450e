// Keeps the keys pressed before the dashboard's code has loaded. shell/keys.ts takes them over; see decision 0055.
(() => {
  const kept = [];
  const keep = (event) => {
    const isGraph = event.getModifierState("AltGraph");
    const isCommand = !isGraph && (event.ctrlKey || event.metaKey);
    if (event.isComposing || (event.altKey && !isGraph)) return;
    const isText = [...event.key].length === 1;
    if (isCommand ? event.key.toLowerCase() !== "k" : !isText && !/^(?:Enter|Escape|Backspace)$/.test(event.key))
      return;
    kept.push({ key: event.key, isCommand });
    // The browser would search in the page, or leave it.
    if (isText) event.preventDefault();
  };
  addEventListener("keydown", keep, true);
  window.takeFirstKeys = () => {
    removeEventListener("keydown", keep, true);
    return kept.splice(0);
  };
})();
