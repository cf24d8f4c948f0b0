// Short names for what every part of the page does with its elements.
export const $ = (id) => document.getElementById(id);

export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

export function say(text, isBad = false) {
  const box = $("message");
  box.textContent = text ?? "";
  box.classList.toggle("bad", isBad);
  box.hidden = !text;
}

// Says something and takes it back after a while.
let timer = 0;
export function tell(text, isBad = false) {
  say(text, isBad);
  clearTimeout(timer);
  timer = setTimeout(() => say(null), 6000);
}
