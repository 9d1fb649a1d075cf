"use strict";
// The live market: asks for the summary when the socket opens, and shows what it is told of prices that have moved.
(() => {
  const market = document.getElementById("market");
  if (!market) return;
  const base = document.body.dataset.base;

  const colour = (cell, change) => { cell.className = change > 0 ? "up" : change < 0 ? "down" : "same"; };
  const signed = change => (change >= 0 ? "+" : "") + Number(change).toFixed(2);
  const link = symbol => {
    const a = document.createElement("a");
    a.href = base + "/app?action=quotes&symbols=" + encodeURIComponent(symbol);
    a.textContent = symbol;
    return a;
  };

  const fill = (stock, price, change, message, key) => {
    stock.replaceChildren(link(message[key + "_stock"]));
    price.textContent = Number(message[key + "_price"]).toFixed(2);
    change.textContent = signed(message[key + "_change"]);
    colour(change, Number(message[key + "_change"]));
  };

  const summary = message => {
    for (const kind of ["gainer", "loser"]) {
      for (let i = 1; message[kind + i + "_stock"]; i++) {
        const cells = ["_stock", "_price", "_change"].map(part => document.getElementById(kind + i + part));
        if (cells[0]) fill(...cells, message, kind + i);
      }
    }
    document.getElementById("tsia").textContent = Number(message.tsia).toFixed(2);
    document.getElementById("volume").textContent = Number(message.volume).toLocaleString("en");
    document.getElementById("date").textContent = message.date.slice(0, 19).replace("T", " ");
  };

  const changes = message => {
    const rows = document.getElementById("changes");
    rows.replaceChildren();
    for (let i = 1; message["change" + i + "_stock"]; i++) {
      const row = rows.insertRow();
      fill(row.insertCell(), row.insertCell(), row.insertCell(), message, "change" + i);
    }
  };

  let pause = 1000;
  const open = () => {
    const socket = new WebSocket(location.origin.replace(/^http/, "ws") + base + "/marketsummary");
    const ask = () => socket.readyState === 1 && socket.send(JSON.stringify({action: "updateMarketSummary"}));
    const timer = setInterval(ask, 20000);
    socket.onopen = () => { pause = 1000; market.dataset.live = "true"; ask(); };
    socket.onmessage = event => {
      const message = JSON.parse(event.data);
      if (message.tsia) summary(message);
      if (message.change1_stock) changes(message);
    };
    socket.onclose = () => {
      clearInterval(timer);
      market.dataset.live = "false";
      setTimeout(open, pause);
      pause = Math.min(60000, pause * 2);
    };
  };
  open();
})();
